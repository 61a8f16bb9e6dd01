import type { CpuPlace } from '../../abi/program.ts';

/**
 * A place without its outermost call where that is clang's own: it makes of each kernel a function, and a kernel of the
 * same name that calls it.
 */
export function withoutStub<Place extends CpuPlace>(place: Place): Place {
  const { inlinedAt, ...rest } = place;
  if (!inlinedAt) return place;
  if (!inlinedAt.inlinedAt) return inlinedAt.function === place.function ? (rest as Place) : place;
  return { ...place, inlinedAt: withoutStub(inlinedAt) };
}
