import type { Opaque } from '../../ffi/ctype.ts';
import { take } from '../../ffi/slot.ts';
import { attempt, attemptRelaxed, cleanup } from '../call.ts';
import { slotOf } from '../slots.ts';
import { EventFlags } from '../sys/enums.ts';

type CUstream = Opaque<'CUstream'>;
type CUevent = Opaque<'CUevent'>;

const slot = slotOf('CUevent');

/** An event without times in the current context, for points of a stream that nobody measures; undefined where the driver refuses. */
export function createPoint(): CUevent | undefined {
  return attemptRelaxed('cuEventCreate', slot, EventFlags.DISABLE_TIMING) === 0 ? take(slot) : undefined;
}

/** An event at this point of a stream of the current context; undefined where the driver refuses. */
export function pointOn(stream: CUstream): CUevent | undefined {
  const event = createPoint();
  if (event === undefined || attempt('cuEventRecord', event, stream) === 0) return event;
  cleanup('cuEventDestroy', event);
  return undefined;
}
