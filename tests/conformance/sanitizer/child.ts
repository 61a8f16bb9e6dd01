// Runs one kernel with a mistake on the GPU: node --import tsx tests/conformance/sanitizer/child.ts NAME
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { broken } from '../cpu/broken/all.ts';
import { launchBroken } from '../cpu/broken/launch.ts';
import { NOT_RUN } from './not-run.ts';

const name = process.argv[2];
const one = broken.find((kernel) => kernel.name === name);
let ran = false;
try {
  if (!one)
    throw new RangeError(`The name of a kernel must be one of tests/conformance/cpu/broken, got ${name ?? 'none'}`);
  const context = new Context(new Device(0));
  try {
    launchBroken(one, context, ['-lineinfo']);
  } catch (error) {
    // The kernel's own fault, which the tool reports; what comes before the launch is ours.
    if (!/cuCtxSynchronize|cuMemFree|cuModuleUnload|cuLaunchKernel/.test(String(error))) throw error;
    console.log(String(error).split('\n')[0]);
  }
  ran = true;
} catch (error) {
  console.error(String(error).split('\n')[0]);
}
// A context that a fault has taken away has nothing left to close.
process.exit(ran ? 0 : NOT_RUN);
