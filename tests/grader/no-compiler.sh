VGPU_CLANG=/nonexistent/clang++ "$grader" lab3 --backend vgpu --seed 1
