import { types } from './ctypes.ts';

/** The key of the extension functions of a table that is not a driver's: they have no addresses. */
export const EXTENSIONS: unique symbol = Symbol.for('rawkernel.extensions') as never;

/**
 * Functions of extensions, by the extension that has them. A platform gives their addresses. Where a version changed a
 * prototype, its key has the version after the symbol's name.
 */
export const extensionFunctions = {
  TYPES: types as typeof types,
  cl_khr_il_program: {
    clCreateProgramWithILKHR:
      'cl_program clCreateProgramWithILKHR(cl_context context, const void *il, size_t length, _Out_ cl_int *errcode_ret)',
  },
  cl_khr_subgroups: {
    clGetKernelSubGroupInfoKHR:
      'cl_int clGetKernelSubGroupInfoKHR(cl_kernel in_kernel, cl_device_id in_device, cl_kernel_sub_group_info param_name, size_t input_value_size, const void *input_value, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
  },
  cl_khr_suggested_local_work_size: {
    clGetKernelSuggestedLocalWorkSizeKHR:
      'cl_int clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size, _Out_ size_t *suggested_local_work_size)',
  },
  cl_khr_command_buffer: {
    clCreateCommandBufferKHR:
      'cl_command_buffer_khr clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues, const cl_command_buffer_properties_khr *properties, _Out_ cl_int *errcode_ret)',
    clFinalizeCommandBufferKHR: 'cl_int clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer)',
    clRetainCommandBufferKHR: 'cl_int clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer)',
    clReleaseCommandBufferKHR: 'cl_int clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer)',
    clEnqueueCommandBufferKHR:
      'cl_int clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clCommandBarrierWithWaitListKHR:
      'cl_int clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, _Out_ cl_sync_point_khr *sync_point, _Out_ cl_mutable_command_khr *mutable_handle)',
    clCommandCopyBufferKHR:
      'cl_int clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, _Out_ cl_sync_point_khr *sync_point, _Out_ cl_mutable_command_khr *mutable_handle)',
    clCommandFillBufferKHR:
      'cl_int clCommandFillBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, _Out_ cl_sync_point_khr *sync_point, _Out_ cl_mutable_command_khr *mutable_handle)',
    clCommandNDRangeKernelKHR:
      'cl_int clCommandNDRangeKernelKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_ndrange_kernel_command_properties_khr *properties, cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size, const size_t *local_work_size, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, _Out_ cl_sync_point_khr *sync_point, _Out_ cl_mutable_command_khr *mutable_handle)',
    clGetCommandBufferInfoKHR:
      'cl_int clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
  },
  'cl_khr_command_buffer 0.9.5': {
    clCommandBarrierWithWaitListKHR_v095:
      'cl_int clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, _Out_ cl_sync_point_khr *sync_point, _Out_ cl_mutable_command_khr *mutable_handle)',
    clCommandCopyBufferKHR_v095:
      'cl_int clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, _Out_ cl_sync_point_khr *sync_point, _Out_ cl_mutable_command_khr *mutable_handle)',
    clCommandFillBufferKHR_v095:
      'cl_int clCommandFillBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, _Out_ cl_sync_point_khr *sync_point, _Out_ cl_mutable_command_khr *mutable_handle)',
  },
  cl_khr_external_memory: {
    clEnqueueAcquireExternalMemObjectsKHR:
      'cl_int clEnqueueAcquireExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueReleaseExternalMemObjectsKHR:
      'cl_int clEnqueueReleaseExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
  },
  cl_khr_external_semaphore: {
    clGetSemaphoreHandleForTypeKHR:
      'cl_int clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device, cl_external_semaphore_handle_type_khr handle_type, size_t handle_size, _Out_ void *handle_ptr, _Out_ size_t *handle_size_ret)',
  },
  cl_khr_semaphore: {
    clCreateSemaphoreWithPropertiesKHR:
      'cl_semaphore_khr clCreateSemaphoreWithPropertiesKHR(cl_context context, const cl_semaphore_properties_khr *sema_props, _Out_ cl_int *errcode_ret)',
    clEnqueueWaitSemaphoresKHR:
      'cl_int clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects, const cl_semaphore_khr *sema_objects, const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clEnqueueSignalSemaphoresKHR:
      'cl_int clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects, const cl_semaphore_khr *sema_objects, const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, _Out_ cl_event *event)',
    clGetSemaphoreInfoKHR:
      'cl_int clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name, size_t param_value_size, _Out_ void *param_value, _Out_ size_t *param_value_size_ret)',
    clReleaseSemaphoreKHR: 'cl_int clReleaseSemaphoreKHR(cl_semaphore_khr sema_object)',
    clRetainSemaphoreKHR: 'cl_int clRetainSemaphoreKHR(cl_semaphore_khr sema_object)',
  },
} as const;
