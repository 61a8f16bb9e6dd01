import { warn } from '../core/errors.ts';
import { dtypes, type DType } from '../core/dtype.ts';
import { nameOf } from '../core/check.ts';
import { Handle } from '../core/handle.ts';
import { Buffer } from './buffer.ts';
import { attempt, begin } from './call.ts';
import { submit } from './call-queue.ts';
import { Cell } from './cell.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { readElement, type ElementRow } from './elements.ts';
import { statusName } from './errors.ts';
import { beLate } from './hang.ts';
import { PreMulSum } from './reduction.ts';
import { ScalarResidence } from './sys/enums.ts';

const WHAT = 'Communicator.createPreMulSum';
/** The real dtype of a part, by the dtype of complex elements. */
const PARTS: Readonly<Record<string, DType>> = { c64: 'f32', c128: 'f64' };

/** {@link Communicator.createPreMulSum}. */
export async function createPreMulSum(state: CommunicatorState, scalar: unknown, dtype: unknown): Promise<PreMulSum> {
  const element = readElement(dtype, WHAT);
  const isNumber = typeof scalar === 'number' || typeof scalar === 'bigint';
  const memory = isNumber && dtype !== undefined ? undefined : deviceScalar(scalar, element, state);
  const value = memory === undefined ? bytesOf(scalar, element) : memory.address;
  const residence = memory === undefined ? ScalarResidence.HOST_IMMEDIATE : ScalarResidence.DEVICE;
  const owner = memory?.retain();
  const cell = new Cell();
  try {
    await submit({
      states: [state],
      routine: 'ncclRedOpCreatePreMulSum',
      timeoutMs: state.facts.timeoutMs,
      start: () =>
        state.inContext(() =>
          begin('ncclRedOpCreatePreMulSum', cell.address, value, element.type, residence, state.raw),
        ),
      late: (timeoutMs) => beLate(state, timeoutMs),
    });
    const parents = owner === undefined ? [state.handle] : [state.handle, owner];
    const handle = new Handle('PreMulSum', cell.int, (op) => destroy(state, op), parents);
    return new PreMulSum(handle, element.name, state);
  } finally {
    owner?.release();
  }
}

function deviceScalar(scalar: unknown, element: ElementRow, state: CommunicatorState): Buffer {
  if (typeof scalar !== 'object' || scalar === null) {
    throw new TypeError(`${WHAT}: scalar must be a number or device memory with one element, got ${nameOf(scalar)}`);
  }
  const buffer = new Buffer(scalar, `${WHAT}: scalar`, state);
  const bytes = element.size / element.parts;
  if (buffer.room !== undefined && buffer.room < bytes) {
    throw new RangeError(`${WHAT}: scalar must have ${bytes} bytes, one ${element.name}, got ${buffer.room}`);
  }
  return buffer;
}

function bytesOf(scalar: unknown, element: ElementRow): DataView {
  const name = PARTS[element.name] ?? element.name;
  if (!Object.hasOwn(dtypes, name)) {
    throw new TypeError(`${WHAT}: scalar must be device memory for ${element.name}, got ${nameOf(scalar)}`);
  }
  const info = dtypes[name as DType];
  const view = new DataView(new ArrayBuffer(8));
  info.write(view, 0, info.check(scalar, `${WHAT}: scalar`));
  return view;
}

/** Once NCCL is idle: its threads may read the table of operators. */
function destroy(state: CommunicatorState, op: number): void {
  if (state.isAborted || state.failure !== undefined) return;
  submit({
    states: [state],
    routine: 'ncclRedOpDestroy',
    timeoutMs: state.facts.timeoutMs,
    start: () => {
      const code = attempt('ncclRedOpDestroy', op, state.raw);
      if (code !== 0) warn(`ncclRedOpDestroy failed: ${statusName(code)}`, 'RAWKERNEL_CLEANUP');
    },
    late: () => undefined,
  }).catch((error: unknown) => {
    warn(`ncclRedOpDestroy failed: ${String(error)}`, 'RAWKERNEL_CLEANUP');
  });
}
