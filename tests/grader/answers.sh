# Right, wrong, empty and unreadable answers, and lines that say nothing. Hints, never answers.
cat >answers.txt <<'END'
student = s123
phase_0_A = row, x
phase_0_B = row, col
phase_p_A = row, q
loads_16 = 256        # half
operations_16 = 8,192
limit_a = registers
blocks_a =
bug_line = 42
loads_17 = 5
this is no answer
END
$grader lab3 --answers --submission answers.txt
