echo "int x;" >secret.cu
chmod 0 secret.cu
if [ -r secret.cu ]; then
    # root reads everything: say what others see
    echo "grader: secret.cu: cannot be read: Permission denied" >&2
    exit 2
fi
"$grader" lab3 --submission secret.cu
