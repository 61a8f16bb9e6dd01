import { SymbolNotFoundError } from '../../core/errors.ts';
import { attempt, type Arguments } from '../call.ts';
import type { ParameterLayout } from '../compiler/kernel-entry.ts';
import { status as statuses } from '../sys/enums.ts';

const PAST_THE_END = statuses.CUDA_ERROR_INVALID_VALUE[0];
const slots = new BigUint64Array(2);

/**
 * The driver's own word on where each parameter of a kernel lies; drivers before CUDA 12.4 do not know. Asking past the
 * end is an error to whoever watches the driver, compute-sanitizer for one: where the count is known, nobody asks.
 */
export function driverLayout<Name extends 'cuFuncGetParamInfo' | 'cuKernelGetParamInfo'>(
  routine: Name,
  kernel: Arguments<Name>[0],
  count: number = Infinity,
): ParameterLayout[] | undefined {
  const ask = (index: number): number =>
    attempt(routine, ...([kernel, index, slots, size] as unknown as Arguments<Name>));
  const layout: ParameterLayout[] = [];
  const size = slots.subarray(1);
  try {
    while (layout.length < count) {
      const status = ask(layout.length);
      if (status === PAST_THE_END) return layout;
      if (status !== 0) return undefined;
      layout.push({ offset: Number(slots[0]), size: Number(slots[1]) });
    }
    return layout;
  } catch (error) {
    if (error instanceof SymbolNotFoundError) return undefined;
    throw error;
  }
}
