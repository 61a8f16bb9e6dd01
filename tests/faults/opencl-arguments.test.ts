import { expect, test } from '@jest/globals';
import * as cl from '../../src/opencl/index.ts';
import * as pythonNames from '../../src/opencl/python-names.ts';
import { HOT } from '../../src/opencl/table.ts';
import { isFull } from '../helpers/full.ts';
import { walkMissing } from '../helpers/missing-arguments.ts';
import { looks } from '../helpers/null-arguments.ts';
import { embeddedDescribe } from '../helpers/opencl-devices.ts';
import { OPENCL_TABLE, openclGrounds } from '../helpers/opencl-ground.ts';
import { openclArgumentPrograms } from '../helpers/opencl-programs-arguments.ts';
import { openclPrograms } from '../helpers/opencl-programs.ts';

/** What OpenCL's specification says may be NULL. */
const NULLABLE = new Set([
  'cl_context_notify',
  'cl_program_notify',
  'cl_svm_free_notify',
  '*.event_wait_list',
  '*.global_work_offset',
  '*.host_ptr',
  '*.local_work_size',
  // One of a query's two answers.
  '*.mutable_handle',
  '*.param_value',
  '*.param_value_size_ret',
  '*.properties',
  '*.sync_point_wait_list',
  '*.user_data',
  'clCommandBarrierWithWaitListKHR_v095.command_queue',
  'clCommandCopyBufferKHR_v095.command_queue',
  'clCommandFillBufferKHR_v095.command_queue',
  'clCommandNDRangeKernelKHR.command_queue',
  'clCompileProgram.header_include_names',
  'clCompileProgram.input_headers',
  'clCreateSubDevices.num_devices_ret',
  'clCreateSubDevices.out_devices',
  'clEnqueueSignalSemaphoresKHR.sema_payload_list',
  'clEnqueueWaitSemaphoresKHR.sema_payload_list',
  'clGetDeviceIDs.devices',
  'clGetDeviceIDs.num_devices',
  'clGetPlatformIDs.num_platforms',
  'clGetPlatformIDs.platforms',
  'clGetSemaphoreHandleForTypeKHR.handle_size_ret',
  'clGetSupportedImageFormats.image_formats',
  'clGetSupportedImageFormats.num_image_formats',
]);
/** No calls of a user's. */
const INTERNAL = /^ProgramBase\.|\.(?:elementTag|ended|isOf|launchSet|pointer|record|rehearse|use|whenSet|writeTo)$/;

embeddedDescribe()('OpenCL', () => {
  test('nothing that is missing reaches a driver', async () => {
    const { begin, ground } = openclGrounds('3.0');
    const { wrong, count, missed } = await walkMissing({
      entry: cl,
      others: pythonNames,
      begin,
      isQuick: !isFull,
      look: looks(OPENCL_TABLE, NULLABLE, HOT),
      programs: { ...openclPrograms(ground), ...openclArgumentPrograms(ground) },
    });
    expect({ wrong, missed: missed.filter((name) => !INTERNAL.test(name)) }).toEqual({ wrong: [], missed: [] });
    expect(count).toBeGreaterThan(isFull ? 900 : 300);
  }, 300_000);
});
