import {
  ProgramInfo,
  ProgramBuildInfo,
  ProgramBinaryType,
  BuildStatus,
  KernelInfo,
  KernelArgInfo,
  KernelArgAddressQualifier,
  KernelArgAccessQualifier,
  KernelArgTypeQualifier,
  KernelWorkGroupInfo,
} from '../../opencl/sys/enums.ts';

// Of programs and kernels, named as in the header but for its CL_.

export const PROGRAM_REFERENCE_COUNT: (typeof ProgramInfo.REFERENCE_COUNT)[0] = ProgramInfo.REFERENCE_COUNT[0];
export const PROGRAM_CONTEXT: (typeof ProgramInfo.CONTEXT)[0] = ProgramInfo.CONTEXT[0];
export const PROGRAM_NUM_DEVICES: (typeof ProgramInfo.NUM_DEVICES)[0] = ProgramInfo.NUM_DEVICES[0];
export const PROGRAM_DEVICES: (typeof ProgramInfo.DEVICES)[0] = ProgramInfo.DEVICES[0];
export const PROGRAM_SOURCE: (typeof ProgramInfo.SOURCE)[0] = ProgramInfo.SOURCE[0];
export const PROGRAM_BINARY_SIZES: (typeof ProgramInfo.BINARY_SIZES)[0] = ProgramInfo.BINARY_SIZES[0];
export const PROGRAM_BINARIES: (typeof ProgramInfo.BINARIES)[0] = ProgramInfo.BINARIES[0];
export const PROGRAM_NUM_KERNELS: (typeof ProgramInfo.NUM_KERNELS)[0] = ProgramInfo.NUM_KERNELS[0];
export const PROGRAM_KERNEL_NAMES: (typeof ProgramInfo.KERNEL_NAMES)[0] = ProgramInfo.KERNEL_NAMES[0];
export const PROGRAM_BUILD_STATUS: (typeof ProgramBuildInfo.STATUS)[0] = ProgramBuildInfo.STATUS[0];
export const PROGRAM_BUILD_OPTIONS: (typeof ProgramBuildInfo.OPTIONS)[0] = ProgramBuildInfo.OPTIONS[0];
export const PROGRAM_BUILD_LOG: (typeof ProgramBuildInfo.LOG)[0] = ProgramBuildInfo.LOG[0];
export const PROGRAM_BINARY_TYPE: (typeof ProgramBuildInfo.BINARY_TYPE)[0] = ProgramBuildInfo.BINARY_TYPE[0];
export const PROGRAM_BINARY_TYPE_NONE: typeof ProgramBinaryType.NONE = ProgramBinaryType.NONE;
export const PROGRAM_BINARY_TYPE_COMPILED_OBJECT: typeof ProgramBinaryType.COMPILED_OBJECT =
  ProgramBinaryType.COMPILED_OBJECT;
export const PROGRAM_BINARY_TYPE_LIBRARY: typeof ProgramBinaryType.LIBRARY = ProgramBinaryType.LIBRARY;
export const PROGRAM_BINARY_TYPE_EXECUTABLE: typeof ProgramBinaryType.EXECUTABLE = ProgramBinaryType.EXECUTABLE;
export const BUILD_SUCCESS: typeof BuildStatus.SUCCESS = BuildStatus.SUCCESS;
export const BUILD_NONE: number = BuildStatus.NONE >>> 0;
export const BUILD_ERROR: number = BuildStatus.ERROR >>> 0;
export const BUILD_IN_PROGRESS: number = BuildStatus.IN_PROGRESS >>> 0;
export const KERNEL_FUNCTION_NAME: (typeof KernelInfo.FUNCTION_NAME)[0] = KernelInfo.FUNCTION_NAME[0];
export const KERNEL_NUM_ARGS: (typeof KernelInfo.NUM_ARGS)[0] = KernelInfo.NUM_ARGS[0];
export const KERNEL_REFERENCE_COUNT: (typeof KernelInfo.REFERENCE_COUNT)[0] = KernelInfo.REFERENCE_COUNT[0];
export const KERNEL_CONTEXT: (typeof KernelInfo.CONTEXT)[0] = KernelInfo.CONTEXT[0];
export const KERNEL_PROGRAM: (typeof KernelInfo.PROGRAM)[0] = KernelInfo.PROGRAM[0];
export const KERNEL_ATTRIBUTES: (typeof KernelInfo.ATTRIBUTES)[0] = KernelInfo.ATTRIBUTES[0];
export const KERNEL_ARG_ADDRESS_QUALIFIER: (typeof KernelArgInfo.ADDRESS_QUALIFIER)[0] =
  KernelArgInfo.ADDRESS_QUALIFIER[0];
export const KERNEL_ARG_ACCESS_QUALIFIER: (typeof KernelArgInfo.ACCESS_QUALIFIER)[0] =
  KernelArgInfo.ACCESS_QUALIFIER[0];
export const KERNEL_ARG_TYPE_NAME: (typeof KernelArgInfo.TYPE_NAME)[0] = KernelArgInfo.TYPE_NAME[0];
export const KERNEL_ARG_TYPE_QUALIFIER: (typeof KernelArgInfo.TYPE_QUALIFIER)[0] = KernelArgInfo.TYPE_QUALIFIER[0];
export const KERNEL_ARG_NAME: (typeof KernelArgInfo.NAME)[0] = KernelArgInfo.NAME[0];
export const KERNEL_ARG_ADDRESS_GLOBAL: typeof KernelArgAddressQualifier.GLOBAL = KernelArgAddressQualifier.GLOBAL;
export const KERNEL_ARG_ADDRESS_LOCAL: typeof KernelArgAddressQualifier.LOCAL = KernelArgAddressQualifier.LOCAL;
export const KERNEL_ARG_ADDRESS_CONSTANT: typeof KernelArgAddressQualifier.CONSTANT =
  KernelArgAddressQualifier.CONSTANT;
export const KERNEL_ARG_ADDRESS_PRIVATE: typeof KernelArgAddressQualifier.PRIVATE = KernelArgAddressQualifier.PRIVATE;
export const KERNEL_ARG_ACCESS_READ_ONLY: typeof KernelArgAccessQualifier.READ_ONLY =
  KernelArgAccessQualifier.READ_ONLY;
export const KERNEL_ARG_ACCESS_WRITE_ONLY: typeof KernelArgAccessQualifier.WRITE_ONLY =
  KernelArgAccessQualifier.WRITE_ONLY;
export const KERNEL_ARG_ACCESS_READ_WRITE: typeof KernelArgAccessQualifier.READ_WRITE =
  KernelArgAccessQualifier.READ_WRITE;
export const KERNEL_ARG_ACCESS_NONE: typeof KernelArgAccessQualifier.NONE = KernelArgAccessQualifier.NONE;
export const KERNEL_ARG_TYPE_NONE: typeof KernelArgTypeQualifier.NONE = KernelArgTypeQualifier.NONE;
export const KERNEL_ARG_TYPE_CONST: typeof KernelArgTypeQualifier.CONST = KernelArgTypeQualifier.CONST;
export const KERNEL_ARG_TYPE_RESTRICT: typeof KernelArgTypeQualifier.RESTRICT = KernelArgTypeQualifier.RESTRICT;
export const KERNEL_ARG_TYPE_VOLATILE: typeof KernelArgTypeQualifier.VOLATILE = KernelArgTypeQualifier.VOLATILE;
export const KERNEL_WORK_GROUP_SIZE: (typeof KernelWorkGroupInfo.WORK_GROUP_SIZE)[0] =
  KernelWorkGroupInfo.WORK_GROUP_SIZE[0];
export const KERNEL_COMPILE_WORK_GROUP_SIZE: (typeof KernelWorkGroupInfo.COMPILE_WORK_GROUP_SIZE)[0] =
  KernelWorkGroupInfo.COMPILE_WORK_GROUP_SIZE[0];
export const KERNEL_LOCAL_MEM_SIZE: (typeof KernelWorkGroupInfo.LOCAL_MEM_SIZE)[0] =
  KernelWorkGroupInfo.LOCAL_MEM_SIZE[0];
export const KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: (typeof KernelWorkGroupInfo.PREFERRED_WORK_GROUP_SIZE_MULTIPLE)[0] =
  KernelWorkGroupInfo.PREFERRED_WORK_GROUP_SIZE_MULTIPLE[0];
export const KERNEL_PRIVATE_MEM_SIZE: (typeof KernelWorkGroupInfo.PRIVATE_MEM_SIZE)[0] =
  KernelWorkGroupInfo.PRIVATE_MEM_SIZE[0];
export const KERNEL_GLOBAL_WORK_SIZE: (typeof KernelWorkGroupInfo.GLOBAL_WORK_SIZE)[0] =
  KernelWorkGroupInfo.GLOBAL_WORK_SIZE[0];
