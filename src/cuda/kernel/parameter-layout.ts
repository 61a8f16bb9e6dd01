import { SymbolNotFoundError } from '../../core/errors.ts';
import { attempt, type Arguments } from '../call.ts';
import type { ParameterLayout } from '../compiler/kernel-entry.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';
import { status as statuses } from '../sys/enums.ts';

const PAST_THE_END = statuses.CUDA_ERROR_INVALID_VALUE[0];
const offsetSlot = slotOf('size_t');
const sizeSlot = slotOf('size_t');

/**
 * The driver's own word on where each parameter of a kernel lies; drivers before CUDA 12.4 do not know. Asking past the
 * end is an error in tools that watch the driver, such as compute-sanitizer: a known count avoids the question.
 */
export function driverLayout<Name extends 'cuFuncGetParamInfo' | 'cuKernelGetParamInfo'>(
  routine: Name,
  kernel: Arguments<Name>[0],
  count: number = Infinity,
): ParameterLayout[] | undefined {
  const ask = (index: number): number =>
    attempt(routine, ...([kernel, index, offsetSlot, sizeSlot] as unknown as Arguments<Name>));
  const layout: ParameterLayout[] = [];
  try {
    while (layout.length < count) {
      const status = ask(layout.length);
      if (status === PAST_THE_END) return layout;
      if (status !== 0) return undefined;
      layout.push({ offset: Number(take(offsetSlot)), size: Number(take(sizeSlot)) });
    }
    return layout;
  } catch (error) {
    if (error instanceof SymbolNotFoundError) return undefined;
    throw error;
  }
}
