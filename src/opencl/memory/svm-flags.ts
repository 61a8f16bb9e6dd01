import { checkNumber } from '../../core/host-memory.ts';
import type { Context } from '../device/context.ts';
import { unsupported } from '../extension.ts';
import { DeviceSvmCapabilities, SvmMemFlags } from '../sys/enums.ts';

const { SVM_FINE_GRAIN_BUFFER, SVM_ATOMICS } = SvmMemFlags;
const ACCESS = SvmMemFlags.READ_WRITE | SvmMemFlags.WRITE_ONLY | SvmMemFlags.READ_ONLY;

/** Refuse what are no {@link SvmMemFlags}, or some that exclude each other. */
export function checkFlags(flags: number): void {
  checkNumber(flags, 'SVMAllocation: flags', 0, ACCESS | SVM_FINE_GRAIN_BUFFER | SVM_ATOMICS);
  const access = flags & ACCESS;
  if ((flags & ~(ACCESS | SVM_FINE_GRAIN_BUFFER | SVM_ATOMICS)) !== 0) {
    throw new RangeError(`SVMAllocation: 0x${flags.toString(16)} has bits that are no SvmMemFlags`);
  }
  if ((access & (access - 1)) !== 0) {
    throw new RangeError('SVMAllocation: READ_WRITE, WRITE_ONLY and READ_ONLY exclude each other');
  }
  if ((flags & SVM_ATOMICS) !== 0 && (flags & SVM_FINE_GRAIN_BUFFER) === 0) {
    throw new RangeError('SVMAllocation: SVM_ATOMICS goes with SVM_FINE_GRAIN_BUFFER');
  }
}

/** Refuse memory that no device of the context has. */
export function checkCapabilities(context: Context, flags: number): void {
  const { COARSE_GRAIN_BUFFER, FINE_GRAIN_BUFFER, ATOMICS } = DeviceSvmCapabilities;
  const fine = (flags & SVM_FINE_GRAIN_BUFFER) !== 0;
  const wanted = (fine ? FINE_GRAIN_BUFFER : COARSE_GRAIN_BUFFER) | ((flags & SVM_ATOMICS) !== 0 ? ATOMICS : 0);
  if (context.devices.some((device) => (device.getInfo('SVM_CAPABILITIES') & wanted) === wanted)) return;
  const kind = `${fine ? 'fine' : 'coarse'}-grained shared memory${(flags & SVM_ATOMICS) !== 0 ? ' with atomics' : ''}`;
  const names = context.devices.map(({ name }) => name).join(', ');
  throw unsupported('clSVMAlloc', `${names}: has no ${kind} (device.svmCapabilities)`);
}
