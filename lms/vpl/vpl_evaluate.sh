#!/bin/bash
# vpl_evaluate.sh: "Evaluate": the grade and its comments.
bash ./matmul_grade.sh
