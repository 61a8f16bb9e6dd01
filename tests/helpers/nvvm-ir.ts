/** A kernel in NVVM IR that takes the sine of one float, by a function of libdevice. */
export const SINE = `
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
declare float @__nv_sinf(float)
define void @sine(float* %p) {
  %x = load float, float* %p, align 4
  %y = call float @__nv_sinf(float %x)
  store float %y, float* %p, align 4
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (float*)* @sine, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
`;
