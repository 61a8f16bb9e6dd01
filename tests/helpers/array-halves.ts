import { afterAll, beforeAll } from '@jest/globals';
import type { Engine } from '../../src/array/engine.ts';
import { Context } from '../../src/cuda/device/context.ts';
import { Device } from '../../src/cuda/device/device.ts';
import { currentEngine } from '../../src/cuda/array/engine.ts';
import { sweepFlights } from '../../src/core/in-flight.ts';
import { engineOfContext, type OpenCLEngine } from '../../src/opencl/array/engine.ts';
import { Context as OpenCLContext } from '../../src/opencl/device/context.ts';
import { openclRows } from './opencl-devices.ts';
import { needs } from './require.ts';

/**
 * Tests of arrays, on CUDA and on every OpenCL device of the file.
 *
 * @param define - defines the tests; `engine()` is what arrays are made with, inside of a test
 */
export function describeArrays(title: string, define: (engine: () => Engine) => void): void {
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

/** Tests of arrays on every OpenCL device of the file, each with a context and its engine's queue. */
export function describeOpenCLArrays(title: string, define: (engine: () => OpenCLEngine) => void): void {
  needs.opencl().describe.each(openclRows)(`${title}, OpenCL: %s`, (_, device) => {
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
