import { afterAll, beforeAll } from '@jest/globals';
import type { Engine } from '../../src/array/engine.ts';
import { Context } from '../../src/cuda/device/context.ts';
import { Device } from '../../src/cuda/device/device.ts';
import { currentEngine } from '../../src/cuda/array/engine.ts';
import { sweepFlights } from '../../src/core/in-flight.ts';
import { engineOfContext, type OpenCLEngine } from '../../src/opencl/array/engine.ts';
import { Context as OpenCLContext } from '../../src/opencl/device/context.ts';
import { openclDevices, openclRows, turn } from './opencl-devices.ts';
import { needs } from './require.ts';

/**
 * In a run of everything each file has one device, CUDA's or one of OpenCL's, another one for other files: nearly all the time
 * goes into compiling the same kernels for each. A run that names files has all devices.
 */
const hasOneDevice = process.env['RAWKERNEL_TEST_NAMED'] !== '1';

/** The device of a file that has one: CUDA's is 0. */
function chosenDevice(): number {
  return turn() % (1 + openclDevices.length);
}

/** Whether all of a file's devices are OpenCL's. */
export function isOpenCLAlone(): boolean {
  return hasOneDevice && chosenDevice() > 0;
}

/**
 * Tests of arrays, on CUDA and on the OpenCL devices of the file.
 *
 * @param define - defines the tests; `engine()` is what arrays are made with, inside of a test
 */
export function describeArrays(title: string, define: (engine: () => Engine) => void): void {
  const chosen = chosenDevice();
  if (!hasOneDevice || chosen === 0) describeCudaArrays(title, define);
  if (!hasOneDevice) describeOpenCLArrays(title, define);
  else if (chosen > 0) describeOpenCLArrays(title, define, openclDevices.slice(chosen - 1, chosen));
}

/** The same on all of them in every full run. */
export function describeArraysEverywhere(title: string, define: (engine: () => Engine) => void): void {
  describeCudaArrays(title, define);
  describeOpenCLArrays(title, define);
}

/** Tests of arrays on CUDA alone. */
export function describeCudaArrays(title: string, define: (engine: () => Engine) => void): void {
  needs.cuda().describe(`${title}, CUDA`, () => {
    let context: Context | undefined;
    beforeAll(() => {
      context = new Context(new Device(0));
    });
    afterAll(() => {
      context?.synchronize();
      sweepFlights();
      context?.close();
    });
    define(currentEngine);
  });
}

/** Tests of arrays on the OpenCL devices of the file, each with a context and its engine's queue. */
export function describeOpenCLArrays(
  title: string,
  define: (engine: () => OpenCLEngine) => void,
  rows: typeof openclRows = openclRows,
): void {
  needs.opencl().describe.each(rows)(`${title}, OpenCL: %s`, (_, device) => {
    let context: OpenCLContext | undefined;
    beforeAll(() => {
      context = new OpenCLContext(device);
    });
    afterAll(() => {
      if (context && !context.closed) engineOfContext(context).defaultLane.finish();
      sweepFlights();
      context?.close();
    });
    define(() => engineOfContext(context as OpenCLContext));
  });
}
