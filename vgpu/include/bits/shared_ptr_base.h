/*
 * bits/shared_ptr_base.h: libstdc++ writes __attribute__((__noinline__)), which CUDA's macro of
 * that name breaks. Hide the macro while the library's own header of this name is read.
 */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
