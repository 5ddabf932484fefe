#!/bin/bash
# vpl_run.sh: "Run" shows what "Evaluate" would; VPL keeps no grade of it.
bash ./matmul_grade.sh
