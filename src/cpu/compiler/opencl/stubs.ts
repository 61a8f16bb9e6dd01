import type { CpuPlace } from '../../abi/program.ts';

/**
 * A place without its outermost call, if clang has added that call: clang turns each kernel into a function and a
 * kernel of the same name that calls the function.
 */
export function withoutStub<Place extends CpuPlace>(place: Place): Place {
  const { inlinedAt, ...rest } = place;
  if (!inlinedAt) return place;
  if (!inlinedAt.inlinedAt) return inlinedAt.function === place.function ? (rest as Place) : place;
  return { ...place, inlinedAt: withoutStub(inlinedAt) };
}
