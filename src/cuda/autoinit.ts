import { cudaDeviceVariable } from '../core/environment.ts';
import { cleanup } from './call.ts';
import { Context } from './device/context.ts';
import { Device } from './device/device.ts';

/** The device of `RAWKERNEL_CUDA_DEVICE` (a number or a PCI bus id), else the first. */
function chooseDevice(): Device {
  const choice = cudaDeviceVariable();
  try {
    return new Device(choice ?? 0);
  } catch (error) {
    if (choice === undefined || !(error instanceof RangeError)) throw error;
    throw new RangeError(`RAWKERNEL_CUDA_DEVICE=${choice}: ${error.message}`, { cause: error });
  }
}

/** The primary context of the chosen device, made current by importing this module. */
export const context: Context = new Context(chooseDevice());

/** The chosen device. */
export const device: Device = context.device;

process.once('exit', () => {
  if (context.closed) return;
  // What the program left open goes with the context.
  cleanup('cuDevicePrimaryCtxRelease', device.raw);
});
