import { checkNumber } from '../../core/check.ts';
import { Handle, type AnyHandle } from '../../core/handle.ts';
import type { Content } from '../../core/typed/element.ts';
import { handleOf } from '../../core/resource.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import type { Context } from '../device/context.ts';
import { MemFlags } from '../sys/enums.ts';
import { Buffer } from './buffer.ts';
import { checkMemFlags } from './mem-flags.ts';
import { whenLast, type RawMemory } from './memory-object.ts';

/** A buffer over memory that a handle owns: the memory stays until no command uses the buffer. */
export function bufferOver<Of extends Content = Content>(
  context: Context,
  address: bigint,
  byteLength: number,
  flags: number,
  memory: AnyHandle,
): Buffer<Of> {
  checkNumber(flags, 'asBuffer: flags');
  const all = flags | MemFlags.USE_HOST_PTR;
  checkMemFlags(all, 'asBuffer');
  const owner = handleOf(context, 'asBuffer');
  const raw = withReclaim(() => cl.clCreateBuffer(owner.value, all, byteLength, address));
  memory.retain();
  const destroy = (): void => {
    whenLast(raw, () => {
      cleanup('Buffer', () => cl.clReleaseMemObject(raw));
      memory.release();
    });
  };
  const handle = new Handle<RawMemory>('Buffer', raw, destroy, [owner]);
  return new Buffer<Of>(context, { root: undefined, offset: 0, handle, byteLength, flags: all });
}
