"""The kernels of the launch cases, as suites/launch.ts has them."""

SCALE = """__global__ void scale(float *a, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= by;
}"""


def pointers_of(arguments):
    return 3 if arguments == 4 else arguments // 2


def empty_kernel(arguments):
    pointers = pointers_of(arguments)
    parameters = [f"float *p{i}" for i in range(pointers)] + [f"int n{i}" for i in range(arguments - pointers)]
    return 'extern "C" __global__ void nothing(%s) {}' % ", ".join(parameters)


def argument_types(arguments):
    pointers = pointers_of(arguments)
    return "P" * pointers + "i" * (arguments - pointers)
