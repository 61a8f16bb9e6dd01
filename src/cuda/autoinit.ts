import { cleanup } from './call.ts';
import { Context } from './device/context.ts';
import { Device } from './device/device.ts';

/** The device of `RAWKERNEL_CUDA_DEVICE` (a number or a PCI bus id), else the first. */
function chooseDevice(): Device {
  const choice = process.env['RAWKERNEL_CUDA_DEVICE'];
  if (!choice) return new Device(0);
  return new Device(/^\d+$/.test(choice) ? Number(choice) : choice);
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
