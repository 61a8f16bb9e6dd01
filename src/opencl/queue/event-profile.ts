import type { Opaque } from '../../ffi/ctype.ts';
import { cl } from '../call.ts';
import { ProfilingInfo } from '../sys/enums.ts';

/** When a command passed through its stages, in nanoseconds of the device's clock. */
export interface EventProfile {
  readonly queued: bigint;
  readonly submit: bigint;
  readonly start: bigint;
  readonly end: bigint;
}

type RawEvent = Opaque<'cl_event'>;

const { QUEUED, SUBMIT, START, END } = ProfilingInfo;
const stageSlot = new BigUint64Array(1);

/** The stages of a command that has ended; undefined where the driver does not tell them. */
export function readProfile(raw: RawEvent): EventProfile | undefined {
  try {
    return {
      queued: readStage(raw, QUEUED[0]),
      submit: readStage(raw, SUBMIT[0]),
      start: readStage(raw, START[0]),
      end: readStage(raw, END[0]),
    };
  } catch {
    return undefined;
  }
}

function readStage(raw: RawEvent, stage: number): bigint {
  cl.clGetEventProfilingInfo(raw, stage, 8, stageSlot, 0n);
  return stageSlot[0] ?? 0n;
}
