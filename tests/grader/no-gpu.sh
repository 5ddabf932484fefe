NVCC=/nonexistent/nvcc "$grader" lab3 --backend gpu
