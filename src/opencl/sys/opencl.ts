import { types } from './ctypes.ts';

export const functions = {
  TYPES: types as typeof types,
  PLATFORM: {
    clGetPlatformIDs:
      'cl_int clGetPlatformIDs(cl_uint num_entries, _Out_ cl_platform_id *platforms, _Out_ cl_uint *num_platforms)',
    clGetPlatformInfo:
      'cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clGetExtensionFunctionAddressForPlatform:
      'void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *func_name)',
    clGetExtensionFunctionAddress: 'void *clGetExtensionFunctionAddress(const char *func_name)',
  },
  DEVICE: {
    clGetDeviceIDs:
      'cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries, _Out_ cl_device_id *devices, _Out_ cl_uint *num_devices)',
    clGetDeviceInfo:
      'cl_int clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clCreateSubDevices:
      'cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties, cl_uint num_devices, _Out_ cl_device_id *out_devices, _Out_ cl_uint *num_devices_ret)',
    clRetainDevice: 'cl_int clRetainDevice(cl_device_id device)',
    clReleaseDevice: 'cl_int clReleaseDevice(cl_device_id device)',
    clGetDeviceAndHostTimer:
      'cl_int clGetDeviceAndHostTimer(cl_device_id device, _Out_ cl_ulong *device_timestamp, _Out_ cl_ulong *host_timestamp)',
    clGetHostTimer: 'cl_int clGetHostTimer(cl_device_id device, _Out_ cl_ulong *host_timestamp)',
  },
  CONTEXT: {
    clCreateContext:
      'cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices, cl_context_notify pfn_notify, void *user_data, _Out_ cl_int *errcode_ret)',
    clCreateContextFromType:
      'cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type device_type, cl_context_notify pfn_notify, void *user_data, _Out_ cl_int *errcode_ret)',
    clRetainContext: 'cl_int clRetainContext(cl_context context)',
    clReleaseContext: 'cl_int clReleaseContext(cl_context context)',
    clGetContextInfo:
      'cl_int clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clSetContextDestructorCallback:
      'cl_int clSetContextDestructorCallback(cl_context context, cl_context_destructor_notify pfn_notify, void *user_data)',
  },
  QUEUE: {
    clSetDefaultDeviceCommandQueue:
      'cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue command_queue)',
    clCreateCommandQueueWithProperties:
      'cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device, const cl_queue_properties *properties, _Out_ cl_int *errcode_ret)',
    clRetainCommandQueue: 'cl_int clRetainCommandQueue(cl_command_queue command_queue)',
    clReleaseCommandQueue: 'cl_int clReleaseCommandQueue(cl_command_queue command_queue)',
    clGetCommandQueueInfo:
      'cl_int clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clFlush: 'cl_int clFlush(cl_command_queue command_queue)',
    clFinish: 'cl_int clFinish(cl_command_queue command_queue)',
    clCreateCommandQueue:
      'cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties, _Out_ cl_int *errcode_ret)',
  },
  MEMORY: {
    clCreateBuffer:
      'cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr, _Out_ cl_int *errcode_ret)',
    clCreateSubBuffer:
      'cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type, const void *buffer_create_info, _Out_ cl_int *errcode_ret)',
    clCreateImage:
      'cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format, const cl_image_desc *image_desc, void *host_ptr, _Out_ cl_int *errcode_ret)',
    clCreatePipe:
      'cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size, cl_uint pipe_max_packets, const cl_pipe_properties *properties, _Out_ cl_int *errcode_ret)',
    clCreateBufferWithProperties:
      'cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t size, void *host_ptr, _Out_ cl_int *errcode_ret)',
    clCreateImageWithProperties:
      'cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *image_format, const cl_image_desc *image_desc, void *host_ptr, _Out_ cl_int *errcode_ret)',
    clRetainMemObject: 'cl_int clRetainMemObject(cl_mem memobj)',
    clReleaseMemObject: 'cl_int clReleaseMemObject(cl_mem memobj)',
    clGetSupportedImageFormats:
      'cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type, cl_uint num_entries, _Out_ cl_image_format *image_formats, _Out_ cl_uint *num_image_formats)',
    clGetMemObjectInfo:
      'cl_int clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clGetImageInfo:
      'cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clGetPipeInfo:
      'cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clSetMemObjectDestructorCallback:
      'cl_int clSetMemObjectDestructorCallback(cl_mem memobj, cl_mem_notify pfn_notify, void *user_data)',
    clCreateImage2D:
      'cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format, size_t image_width, size_t image_height, size_t image_row_pitch, void *host_ptr, _Out_ cl_int *errcode_ret)',
    clCreateImage3D:
      'cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format, size_t image_width, size_t image_height, size_t image_depth, size_t image_row_pitch, size_t image_slice_pitch, void *host_ptr, _Out_ cl_int *errcode_ret)',
  },
  SAMPLER: {
    clCreateSamplerWithProperties:
      'cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *sampler_properties, _Out_ cl_int *errcode_ret)',
    clRetainSampler: 'cl_int clRetainSampler(cl_sampler sampler)',
    clReleaseSampler: 'cl_int clReleaseSampler(cl_sampler sampler)',
    clGetSamplerInfo:
      'cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clCreateSampler:
      'cl_sampler clCreateSampler(cl_context context, cl_bool normalized_coords, cl_addressing_mode addressing_mode, cl_filter_mode filter_mode, _Out_ cl_int *errcode_ret)',
  },
  PROGRAM: {
    clCreateProgramWithSource:
      'cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths, _Out_ cl_int *errcode_ret)',
    clCreateProgramWithBinary:
      'cl_program clCreateProgramWithBinary(cl_context context, cl_uint num_devices, const cl_device_id *device_list, const size_t *lengths, const unsigned char **binaries, _Out_ cl_int *binary_status, _Out_ cl_int *errcode_ret)',
    clCreateProgramWithBuiltInKernels:
      'cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices, const cl_device_id *device_list, const char *kernel_names, _Out_ cl_int *errcode_ret)',
    clCreateProgramWithIL:
      'cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length, _Out_ cl_int *errcode_ret)',
    clRetainProgram: 'cl_int clRetainProgram(cl_program program)',
    clReleaseProgram: 'cl_int clReleaseProgram(cl_program program)',
    clBuildProgram:
      'cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list, const char *options, cl_program_notify pfn_notify, void *user_data)',
    clCompileProgram:
      'cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list, const char *options, cl_uint num_input_headers, const cl_program *input_headers, const char **header_include_names, cl_program_notify pfn_notify, void *user_data)',
    clLinkProgram:
      'cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list, const char *options, cl_uint num_input_programs, const cl_program *input_programs, cl_program_notify pfn_notify, void *user_data, _Out_ cl_int *errcode_ret)',
    clSetProgramReleaseCallback:
      'cl_int clSetProgramReleaseCallback(cl_program program, cl_program_notify pfn_notify, void *user_data)',
    clSetProgramSpecializationConstant:
      'cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size, const void *spec_value)',
    clUnloadPlatformCompiler: 'cl_int clUnloadPlatformCompiler(cl_platform_id platform)',
    clGetProgramInfo:
      'cl_int clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clGetProgramBuildInfo:
      'cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clUnloadCompiler: 'cl_int clUnloadCompiler(void)',
  },
  KERNEL: {
    clCreateKernel: 'cl_kernel clCreateKernel(cl_program program, const char *kernel_name, _Out_ cl_int *errcode_ret)',
    clCreateKernelsInProgram:
      'cl_int clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, _Out_ cl_kernel *kernels, _Out_ cl_uint *num_kernels_ret)',
    clCloneKernel: 'cl_kernel clCloneKernel(cl_kernel source_kernel, _Out_ cl_int *errcode_ret)',
    clRetainKernel: 'cl_int clRetainKernel(cl_kernel kernel)',
    clReleaseKernel: 'cl_int clReleaseKernel(cl_kernel kernel)',
    clSetKernelArg:
      'cl_int clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void *arg_value)',
    clSetKernelArgSVMPointer:
      'cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value)',
    clSetKernelExecInfo:
      'cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size, const void *param_value)',
    clGetKernelInfo:
      'cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clGetKernelArgInfo:
      'cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx, cl_kernel_arg_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clGetKernelWorkGroupInfo:
      'cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clGetKernelSubGroupInfo:
      'cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name, size_t input_value_size, const void *input_value, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
  },
  EVENT: {
    clWaitForEvents: 'cl_int clWaitForEvents(cl_uint num_events, const cl_event *event_list)',
    clGetEventInfo:
      'cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clCreateUserEvent: 'cl_event clCreateUserEvent(cl_context context, _Out_ cl_int *errcode_ret)',
    clRetainEvent: 'cl_int clRetainEvent(cl_event event)',
    clReleaseEvent: 'cl_int clReleaseEvent(cl_event event)',
    clSetUserEventStatus: 'cl_int clSetUserEventStatus(cl_event event, cl_int execution_status)',
    clSetEventCallback:
      'cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type, cl_event_notify pfn_notify, void *user_data)',
    clGetEventProfilingInfo:
      'cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
  },
  ENQUEUE: {
    clEnqueueReadBuffer:
      'cl_int clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read, size_t offset, size_t size, _Out_ void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueReadBufferRect:
      'cl_int clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read, const size_t *buffer_origin, const size_t *host_origin, const size_t *region, size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, _Out_ void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueWriteBuffer:
      'cl_int clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, size_t offset, size_t size, const void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueWriteBufferRect:
      'cl_int clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, const size_t *buffer_origin, const size_t *host_origin, const size_t *region, size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueFillBuffer:
      'cl_int clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueCopyBuffer:
      'cl_int clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueCopyBufferRect:
      'cl_int clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, const size_t *src_origin, const size_t *dst_origin, const size_t *region, size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueReadImage:
      'cl_int clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch, _Out_ void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueWriteImage:
      'cl_int clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write, const size_t *origin, const size_t *region, size_t input_row_pitch, size_t input_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueFillImage:
      'cl_int clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color, const size_t *origin, const size_t *region, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueCopyImage:
      'cl_int clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image, const size_t *src_origin, const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueCopyImageToBuffer:
      'cl_int clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin, const size_t *region, size_t dst_offset, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueCopyBufferToImage:
      'cl_int clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image, size_t src_offset, const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueMapBuffer:
      'void *clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map, cl_map_flags map_flags, size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event, _Out_ cl_int *errcode_ret)',
    clEnqueueMapImage:
      'void *clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags, const size_t *origin, const size_t *region, _Out_ size_t *image_row_pitch, _Out_ size_t *image_slice_pitch, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event, _Out_ cl_int *errcode_ret)',
    clEnqueueUnmapMemObject:
      'cl_int clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void *mapped_ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueMigrateMemObjects:
      'cl_int clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueNDRangeKernel:
      'cl_int clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size, const size_t *local_work_size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueNativeKernel:
      'cl_int clEnqueueNativeKernel(cl_command_queue command_queue, cl_native_kernel user_func, void *args, size_t cb_args, cl_uint num_mem_objects, const cl_mem *mem_list, const void **args_mem_loc, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueMarkerWithWaitList:
      'cl_int clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueBarrierWithWaitList:
      'cl_int clEnqueueBarrierWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueMarker: 'cl_int clEnqueueMarker(cl_command_queue command_queue, _Out_ cl_event *event)',
    clEnqueueWaitForEvents:
      'cl_int clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events, const cl_event *event_list)',
    clEnqueueBarrier: 'cl_int clEnqueueBarrier(cl_command_queue command_queue)',
    clEnqueueTask:
      'cl_int clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
  },
  SVM: {
    clSVMAlloc: 'void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)',
    clSVMFree: 'void clSVMFree(cl_context context, void *svm_pointer)',
    clEnqueueSVMFree:
      'cl_int clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers, void **svm_pointers, cl_svm_free_notify pfn_free_func, void *user_data, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueSVMMemcpy:
      'cl_int clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, _Out_ void *dst_ptr, const void *src_ptr, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueSVMMemFill:
      'cl_int clEnqueueSVMMemFill(cl_command_queue command_queue, _Out_ void *svm_ptr, const void *pattern, size_t pattern_size, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueSVMMap:
      'cl_int clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags, void *svm_ptr, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueSVMUnmap:
      'cl_int clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueSVMMigrateMem:
      'cl_int clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers, const void **svm_pointers, const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
  },
} as const;

export const callbacks = {
  cl_context_notify: 'void (CL_CALLBACK *)(const char *, const void *, size_t, void *)',
  cl_context_destructor_notify: 'void (CL_CALLBACK *)(cl_context, void *)',
  cl_mem_notify: 'void (CL_CALLBACK *)(cl_mem, void *)',
  cl_program_notify: 'void (CL_CALLBACK *)(cl_program, void *)',
  cl_event_notify: 'void (CL_CALLBACK *)(cl_event, cl_int, void *)',
  cl_svm_free_notify: 'void (CL_CALLBACK *)(cl_command_queue, cl_uint, void **, void *)',
  cl_native_kernel: 'void (CL_CALLBACK *)(void *)',
} as const;
