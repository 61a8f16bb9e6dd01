import { checkNumber } from '../../core/check.ts';
import type { Context } from '../device/context.ts';
import { unsupported } from '../extension.ts';
import { DeviceSvmCapabilities, SvmMemFlags } from '../sys/enums.ts';

const { SVM_FINE_GRAIN_BUFFER, SVM_ATOMICS } = SvmMemFlags;
const ACCESS = SvmMemFlags.READ_WRITE | SvmMemFlags.WRITE_ONLY | SvmMemFlags.READ_ONLY;
const LARGEST_ALIGNMENT = 128;

/** Refuse bits that are not {@link SvmMemFlags}, and flags that exclude each other. */
export function checkFlags(flags: number, what = 'SVMAllocation'): void {
  checkNumber(flags, `${what}: flags`, 0, ACCESS | SVM_FINE_GRAIN_BUFFER | SVM_ATOMICS);
  const access = flags & ACCESS;
  if ((flags & ~(ACCESS | SVM_FINE_GRAIN_BUFFER | SVM_ATOMICS)) !== 0) {
    throw new RangeError(`${what}: 0x${flags.toString(16)} has bits that are not SvmMemFlags`);
  }
  if ((access & (access - 1)) !== 0) {
    throw new RangeError(`${what}: READ_WRITE, WRITE_ONLY and READ_ONLY exclude each other`);
  }
  if ((flags & SVM_ATOMICS) !== 0 && (flags & SVM_FINE_GRAIN_BUFFER) === 0) {
    throw new RangeError(`${what}: SVM_ATOMICS needs SVM_FINE_GRAIN_BUFFER`);
  }
}

/** Refuse a number that is not an alignment: a power of 2, or 0 for the driver's default. */
export function checkAlignment(alignment: number, what: string): void {
  checkNumber(alignment, `${what}: alignment`, 0, LARGEST_ALIGNMENT);
  if ((alignment & (alignment - 1)) === 0) return;
  throw new RangeError(`${what}: alignment must be a power of 2, got ${alignment}`);
}

/** Refuse a kind of memory that no device of the context has. */
export function checkCapabilities(context: Context, flags: number): void {
  const { COARSE_GRAIN_BUFFER, FINE_GRAIN_BUFFER, ATOMICS } = DeviceSvmCapabilities;
  const fine = (flags & SVM_FINE_GRAIN_BUFFER) !== 0;
  const wanted = (fine ? FINE_GRAIN_BUFFER : COARSE_GRAIN_BUFFER) | ((flags & SVM_ATOMICS) !== 0 ? ATOMICS : 0);
  if (context.devices.some((device) => (device.getInfo('SVM_CAPABILITIES') & wanted) === wanted)) return;
  const kind = `${fine ? 'fine' : 'coarse'}-grained shared memory${(flags & SVM_ATOMICS) !== 0 ? ' with atomics' : ''}`;
  const names = context.devices.map(({ name }) => name).join(', ');
  throw unsupported('clSVMAlloc', `${names}: has no ${kind} (device.svmCapabilities)`);
}
