import type { Handle } from '../../core/handle.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { requireContext, inContext } from '../device/context.ts';
import { isDefaultStream } from '../lifetime/default-stream.ts';

type CUstream = Opaque<'CUstream'>;
type CUcontext = Opaque<'CUcontext'>;

const births = new WeakMap<Handle<CUstream>, Handle<CUcontext>>();

/** Note the context of a stream. */
export function bornIn(context: Handle<CUcontext>, stream: Handle<CUstream>): Handle<CUstream> {
  if (!isDefaultStream(stream.value)) births.set(stream, context);
  return stream;
}

/** Run something in the context of a stream: where none is current, a driver may read what is of a stream from nowhere. */
export function inBirth<T>(stream: Handle<CUstream>, routine: string, run: (raw: CUstream) => T): T {
  return inContext(births.get(stream) ?? requireContext(routine), () => run(stream.value));
}
