/** A part of the package that the fuzzer calls as a whole. */
export type HalfName = 'cuda' | 'opencl' | 'nvml' | 'node-opencl' | 'webcl';

/** What the calls run on. */
export type DeviceName = 'embedded' | 'pocl' | 'gpu' | 'fake';

/** Every half. */
export const HALVES: readonly HalfName[] = ['cuda', 'opencl', 'nvml', 'node-opencl', 'webcl'];

/** Every device. */
export const DEVICES: readonly DeviceName[] = ['embedded', 'pocl', 'gpu', 'fake'];

/** The variables of a child process by which it takes a device. */
export function environmentOf(device: DeviceName): Readonly<Record<string, string>> {
  if (device === 'embedded') return { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CTX: 'rawkernel' };
  if (device === 'pocl') return { RAWKERNEL_DEVICE: 'gpu', RAWKERNEL_CTX: 'portable' };
  return { RAWKERNEL_DEVICE: 'gpu' };
}
