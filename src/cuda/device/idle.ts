import type { AnyHandle, Handle } from '../../core/handle.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { attempt, warnOfStatus } from '../call.ts';
import { recording } from '../captures.ts';
import { inContext } from './context.ts';
import { status as statuses } from '../sys/enums.ts';
import { slotOf } from '../slots.ts';

type CUcontext = Opaque<'CUcontext'>;

const STREAM_CAPTURE_UNSUPPORTED = statuses.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED[0];
const STREAM_CAPTURE_IMPLICIT = statuses.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT[0];
const intSlot = slotOf('CUstreamCaptureStatus');

/**
 * Wait until nothing of a context runs any more; in a lost or destroyed context nothing does.
 *
 * @returns false where a capture is open: to wait would end it
 */
export function comeToRest(context: Handle<CUcontext>): boolean {
  if (recording.active > 0) return false;
  let status: number;
  try {
    status = inContext(context, () => {
      // A capture that was begun elsewhere is not known here. To ask for the legacy default stream breaks none.
      const asked = attempt('cuStreamIsCapturing', NULL, intSlot);
      return asked === STREAM_CAPTURE_IMPLICIT ? STREAM_CAPTURE_UNSUPPORTED : attempt('cuCtxSynchronize');
    });
  } catch {
    return true;
  }
  if (status === STREAM_CAPTURE_UNSUPPORTED) return false;
  warnOfStatus('cuCtxSynchronize', status);
  return true;
}

/**
 * Run a function once a context is idle: now, or after the end of the open captures.
 *
 * @param kept - what has to live until then, besides the context
 */
export function whenIdle(context: Handle<CUcontext>, kept: readonly AnyHandle[], then: () => void): void {
  if (comeToRest(context)) {
    then();
    return;
  }
  const handles = [context, ...kept];
  for (const handle of handles) handle.retain();
  holdUntil(
    () => comeToRest(context),
    () => {
      try {
        then();
      } finally {
        for (const handle of handles) handle.release();
      }
    },
  );
}
