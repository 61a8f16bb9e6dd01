import { holdUntil } from '../../core/in-flight.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, cleanup, cu } from '../call.ts';
import { birthContext, destroyIn } from '../device/context.ts';
import { noteEnd, recording } from '../graph/recording.ts';
import { CaptureStatus, EventFlags } from '../sys/enums.ts';

type CUstream = Opaque<'CUstream'>;
type CUevent = Opaque<'CUevent'>;

const NOT_READY = 600;
const slot = new BigUint64Array(1);
const intSlot = new Int32Array(1);

/** Keep what a stream still works on until it has passed this point, then run `land`. */
export function holdOnStream(stream: CUstream, land: () => void): void {
  // In a capture nothing runs yet; the graph keeps it then.
  if (recording.active > 0 && isCaptured(stream) && noteEnd(land)) return;
  cu.cuEventCreate(slot, EventFlags.DISABLE_TIMING);
  const event = (slot[0] ?? 0n) as CUevent;
  const context = birthContext('cuEventRecord').retain();
  try {
    cu.cuEventRecord(event, stream);
  } catch (error) {
    cleanup('cuEventDestroy', event);
    context.release();
    throw error;
  }
  holdUntil(
    // A failed query means that the context is lost, and nothing runs any more. In a capture it is not to be asked.
    () => recording.active === 0 && attempt('cuEventQuery', event) !== NOT_READY,
    () => {
      destroyIn(context, 'cuEventDestroy', event);
      context.release();
      land();
    },
  );
}

function isCaptured(stream: CUstream): boolean {
  return attempt('cuStreamIsCapturing', stream, intSlot) === 0 && intSlot[0] === CaptureStatus.ACTIVE;
}
