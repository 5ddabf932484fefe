NVCC='' "$grader" lab3 --backend gpu
echo "status: $?"
NVCC=/nonexistent/nvcc "$grader" lab3 --backend gpu
