import { viewOf } from '../../ffi/memory.ts';
import { attempt, callError, cleanup } from '../call.ts';
import { requireContext, deviceOf } from '../device/context.ts';
import { capabilityOf } from '../device/current-capability.ts';
import { CompileError } from '../errors.ts';
import { encodeJitOptions, type JitOptions } from './jit-options.ts';
import type { LinkableKind, Linked, LinkInput } from './link-input.ts';
import { JitInputType, status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const TYPES: Readonly<Record<Exclude<LinkableKind, 'ltoir'>, number>> = {
  cubin: JitInputType.CUBIN,
  ptx: JitInputType.PTX,
  fatbin: JitInputType.FATBINARY,
  object: JitInputType.OBJECT,
  library: JitInputType.LIBRARY,
};
/** What is about the code, and not about the machine. */
const LINK_FAILURES: readonly number[] = [
  statuses.CUDA_ERROR_INVALID_VALUE[0],
  statuses.CUDA_ERROR_INVALID_IMAGE[0],
  statuses.CUDA_ERROR_NO_BINARY_FOR_GPU[0],
  statuses.CUDA_ERROR_INVALID_PTX[0],
  statuses.CUDA_ERROR_UNSUPPORTED_PTX_VERSION[0],
  statuses.CUDA_ERROR_INVALID_SOURCE[0],
  statuses.CUDA_ERROR_SHARED_OBJECT_INIT_FAILED[0],
  statuses.CUDA_ERROR_NOT_FOUND[0],
  statuses.CUDA_ERROR_UNKNOWN[0],
];
const slot = slotOf('CUlinkState');
const addressSlot = slotOf('size_t');
const sizeSlot = slotOf('size_t');

/** Link with the driver, for the device of the current context. */
export function linkWithDriver(inputs: readonly LinkInput[], jit: JitOptions): Linked {
  const context = requireContext('cuLinkCreate');
  const options = encodeJitOptions(jit, 'Linker');
  const fail = (routine: string, status: number, what: string): Error => {
    const log = options.errors();
    if (log === '' || !LINK_FAILURES.includes(status)) {
      return callError(routine, status, { facts: { input: what, log } });
    }
    const headline = `The driver could not link ${what}`;
    return new CompileError(headline, { log, source: '', file: what, options: [], diagnostics: [] });
  };
  const created = attempt('cuLinkCreate', options.count, options.keys, options.values, slot);
  if (created !== 0) throw callError('cuLinkCreate', created);
  const state = take(slot);
  try {
    for (const { name, program } of inputs) {
      const { kind, code } = program;
      const type = TYPES[kind as keyof typeof TYPES];
      const status = attempt('cuLinkAddData', state, type, code, code.byteLength, name, 0, 0n, 0n);
      if (status !== 0) throw fail('cuLinkAddData', status, name);
    }
    const status = attempt('cuLinkComplete', state, addressSlot, sizeSlot);
    if (status !== 0) throw fail('cuLinkComplete', status, inputs.map(({ name }) => name).join(', '));
    // The driver's memory, good until the linker is destroyed.
    const code = new Uint8Array(viewOf(take(addressSlot), Number(take(sizeSlot)))).slice();
    const arch = jit.target ?? `sm_${capabilityOf(deviceOf(context))}`;
    return { code, arch, log: options.info() };
  } finally {
    cleanup('cuLinkDestroy', state);
  }
}
