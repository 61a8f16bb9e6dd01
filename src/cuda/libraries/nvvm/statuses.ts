/** The columns: value, whose fault it is, and what to do about it. */
export const nvvmStatus = {
  NVVM_SUCCESS: [0, 'none', ''],
  NVVM_ERROR_OUT_OF_MEMORY: [1, 'runtime', 'Free host memory'],
  NVVM_ERROR_PROGRAM_CREATION_FAILURE: [2, 'runtime', 'Free host memory'],
  NVVM_ERROR_IR_VERSION_MISMATCH: [3, 'logic', 'Make the module for the version of NVVM IR that this libNVVM reads'],
  NVVM_ERROR_INVALID_INPUT: [4, 'logic', 'Check the arguments'],
  NVVM_ERROR_INVALID_PROGRAM: [5, 'logic', 'Use a program that is not destroyed'],
  NVVM_ERROR_INVALID_IR: [6, 'logic', 'Read the log: the module is not NVVM IR'],
  NVVM_ERROR_INVALID_OPTION: [7, 'logic', 'Check the options: this version of libNVVM does not know one of them'],
  NVVM_ERROR_NO_MODULE_IN_PROGRAM: [8, 'logic', 'Add a module first'],
  NVVM_ERROR_COMPILATION: [9, 'logic', 'Read the log: the module does not compile'],
  NVVM_ERROR_CANCELLED: [10, 'runtime', 'Compile again: the callback has stopped it'],
} as const;
