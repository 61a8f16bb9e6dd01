import { attempt, type DriverCall, type Routine } from './call.ts';
import { status } from './sys/enums.ts';

/**
 * What comes before a call that waits for the device. `isOver` says whether it would wait; undefined: it waits for all work of the
 * current context. What it throws is thrown in the place of the call.
 */
export type BeforeWait = (isOver: (() => boolean) | undefined) => void;

const [NOT_READY] = status.CUDA_ERROR_NOT_READY;

const ofStream = (stream: bigint) => () => attempt('cuStreamQuery', stream as never) !== NOT_READY;
const ofEvent = (event: bigint) => () => attempt('cuEventQuery', event as never) !== NOT_READY;
/** Copies that wait are work of the default stream. */
const ofCopy = () => ofStream(0n);
const ofContext = () => undefined;

/** What each call waits for, by its first argument. */
const WAITS: Partial<Record<Routine, (first: bigint) => (() => boolean) | undefined>> = {
  cuStreamSynchronize: ofStream,
  cuEventSynchronize: ofEvent,
  cuCtxSynchronize: ofContext,
  cuMemcpy: ofCopy,
  cuMemcpyHtoD: ofCopy,
  cuMemcpyDtoH: ofCopy,
  cuMemcpy2D: ofCopy,
  cuMemcpy2DUnaligned: ofCopy,
  cuMemcpy3D: ofCopy,
  cuMemcpyPeer: ofCopy,
  cuMemcpy3DPeer: ofCopy,
};

/** These wait, too, but must not fail: they end what a program has done with. */
const ENDS: readonly Routine[] = [
  'cuMemFree',
  'cuMemFreeHost',
  'cuMemHostUnregister',
  'cuModuleUnload',
  'cuArrayDestroy',
];

/**
 * What has something done before each call of this thread that waits for the device, for those whose work may never finish: once the
 * driver waits, nobody can say why.
 */
export function waitGuards(before: BeforeWait): Partial<Record<Routine, (call: DriverCall) => DriverCall>> {
  const wraps: Partial<Record<Routine, (call: DriverCall) => DriverCall>> = {};
  for (const [name, waitOf] of Object.entries(WAITS)) {
    wraps[name as Routine] =
      (call) =>
      (...args) => {
        before(waitOf((args as readonly unknown[])[0] as bigint));
        return call(...args);
      };
  }
  for (const name of ENDS) {
    wraps[name] =
      (call) =>
      (...args) => {
        try {
          before(undefined);
        } catch (error) {
          // As an error that nothing has caught.
          void Promise.reject(error instanceof Error ? error : new Error(String(error)));
        }
        return call(...args);
      };
  }
  return wraps;
}
