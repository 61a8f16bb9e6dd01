import * as cuda from '../cuda/index.ts';
import * as cl from '../opencl/index.ts';
import { messageOf, UsageError } from './output.ts';

/** Settle what CUDA and OpenCL run on, as the variable does. It has to come before anything else of them. */
export function settleDevice(choice: 'cpu' | 'gpu'): void {
  process.env['RAWKERNEL_DEVICE'] = choice;
}

/** The CUDA device of `--device`: a number, a PCI bus id, or `cpu`; else that of the variable, as for programs. */
export function cudaDevice(which: string | undefined): cuda.Device {
  const variable = process.env['RAWKERNEL_CUDA_DEVICE'] ?? '';
  const choice = which ?? variable;
  try {
    if (choice === '' || choice === 'cpu') return new cuda.Device(0);
    return new cuda.Device(/^\d+$/.test(choice) ? Number(choice) : choice);
  } catch (error) {
    if (choice === '') throw error;
    const name = which === undefined ? 'RAWKERNEL_CUDA_DEVICE=' : '--device ';
    throw new UsageError(`${name}${choice}: ${messageOf(error)}`, { cause: error });
  }
}

/** The OpenCL device of `--device`: `platform[:device]`, or `cpu`. */
export function openclDevice(which: string | undefined): cl.Device {
  try {
    const [device] = which === 'cpu' ? embedded() : chosen(which?.split(':'));
    if (device) return device;
    throw new Error('There is no OpenCL device');
  } catch (error) {
    if (which === undefined) throw error;
    throw new UsageError(`--device ${which}: ${messageOf(error)}`, { cause: error });
  }
}

function chosen(answers: readonly string[] | undefined): cl.Device[] {
  return cl.chooseDevices({ interactive: false, ...(answers ? { answers } : {}) });
}

/** The embedded devices; `RAWKERNEL_CTX` is ignored. */
function embedded(): cl.Device[] {
  const devices = cl.getPlatforms().flatMap((platform) => platform.getDevices());
  return devices.filter(({ isEmbedded }) => isEmbedded);
}
