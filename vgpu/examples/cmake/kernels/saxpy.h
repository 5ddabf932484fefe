#pragma once

// y = a x + y, for n elements. False: the device had an error.
bool saxpy(int n, float a, const float *x, float *y);
