import type { Handle } from '../../core/handle.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { requireContext, inContext } from '../device/context.ts';

type CUstream = Opaque<'CUstream'>;
type CUcontext = Opaque<'CUcontext'>;

/** The last of the driver's own streams; they belong to the current context. */
export const PER_THREAD = 2n;
const births = new WeakMap<Handle<CUstream>, Handle<CUcontext>>();

/** Note the context of a stream. */
export function bornIn(context: Handle<CUcontext>, stream: Handle<CUstream>): Handle<CUstream> {
  if (stream.value > PER_THREAD) births.set(stream, context);
  return stream;
}

/** Run something in the context of a stream: where none is current, a driver may read what is of a stream from nowhere. */
export function inBirth<T>(stream: Handle<CUstream>, routine: string, run: (raw: CUstream) => T): T {
  return inContext(births.get(stream) ?? requireContext(routine), () => run(stream.value));
}
