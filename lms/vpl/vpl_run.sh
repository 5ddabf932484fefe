#!/bin/bash
# vpl_run.sh: "Run" grades as "Evaluate" does; VPL keeps no grade of it.
bash ./vpl_evaluate.sh
