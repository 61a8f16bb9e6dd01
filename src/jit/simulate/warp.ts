import type { Request, Thread } from './thread.ts';

export const WARP = 32;

/** What a lane is given: by its number in the warp. */
export type Results = ReadonlyMap<number, number | bigint | boolean>;

interface Lane {
  readonly lane: number;
  readonly request: Request;
}

/** The lanes of a request that have not returned; lanes that the block does not have count as returned. */
function membersOf({ mask }: Request, live: ReadonlyMap<number, Thread>): number[] {
  return [...live.keys()].filter((lane) => ((mask >>> lane) & 1) === 1);
}

/** Whether two lanes wait for the same: PTX wants the same operation and the same mask of all lanes in it. */
function isSame(a: Request, b: Request | undefined): boolean {
  return a.operation === b?.operation && a.mask === b.mask;
}

/**
 * The lanes that all that they wait for is there for, with what each is given.
 *
 * @param live - the threads of a warp that have not returned, by their lanes
 */
export function readyLanes(live: ReadonlyMap<number, Thread>): Results | undefined {
  for (const [lane, { request }] of live) {
    if (request === undefined || request.isOfBlock) continue;
    if (request.operation === 'activemask') continue;
    const members = membersOf(request, live);
    const isWhole = members.every((one) => isSame(request, live.get(one)?.request));
    if (isWhole && members.includes(lane)) return resultsOf(request.operation, lanesOf(members, live));
  }
  return activeLanes(live);
}

/** Lanes that ask at one place which lanes are there. */
function activeLanes(live: ReadonlyMap<number, Thread>): Results | undefined {
  const first = [...live.values()].find(({ request }) => request?.operation === 'activemask')?.request;
  if (first === undefined) return undefined;
  const lanes = [...live].filter(
    ([, { request }]) => request?.operation === 'activemask' && request.site === first.site,
  );
  const mask = maskOf(lanes.map(([lane]) => lane));
  return new Map(lanes.map(([lane]) => [lane, mask]));
}

/** Who a lane waits for in vain, or undefined where it waits for no lane of its warp. */
export function missingLane(request: Request, live: ReadonlyMap<number, Thread>): Thread | undefined {
  const missing = membersOf(request, live).find((lane) => !isSame(request, live.get(lane)?.request));
  return missing === undefined ? undefined : live.get(missing);
}

function lanesOf(members: readonly number[], live: ReadonlyMap<number, Thread>): readonly Lane[] {
  return members.map((lane) => ({ lane, request: live.get(lane)?.request as Request }));
}

function maskOf(lanes: readonly number[]): number {
  return lanes.reduce((mask, lane) => (mask | (1 << lane)) >>> 0, 0);
}

/** CUDA C++ Programming Guide, warp vote, warp match and warp shuffle functions. */
function resultsOf(operation: string, lanes: readonly Lane[]): Results {
  const values = new Map(lanes.map(({ lane, request }) => [lane, request.value]));
  const voted = lanes.filter(({ request }) => Boolean(request.value)).map(({ lane }) => lane);
  const forAll = (value: Request['value']): Results => new Map(lanes.map(({ lane }) => [lane, value]));
  switch (operation) {
    case 'all_sync':
      return forAll(voted.length === lanes.length);
    case 'any_sync':
      return forAll(voted.length > 0);
    case 'ballot_sync':
      return forAll(maskOf(voted));
    case 'match_any_sync': {
      const same = (value: Request['value']): number =>
        maskOf(lanes.filter(({ request }) => Object.is(request.value, value)).map(({ lane }) => lane));
      return new Map(lanes.map(({ lane, request }) => [lane, same(request.value)]));
    }
    case 'syncwarp':
      return forAll(0);
    default:
      return new Map(
        lanes.map(({ lane, request }) => [lane, values.get(sourceOf(operation, lane, request.other)) ?? request.value]),
      );
  }
}

/** The lane whose value a shuffle gives; its own where that is outside of the warp. */
function sourceOf(operation: string, lane: number, other: number): number {
  if (operation === 'shfl_sync') return other & (WARP - 1);
  const source =
    operation === 'shfl_up_sync' ? lane - other : operation === 'shfl_down_sync' ? lane + other : lane ^ other;
  return source >= 0 && source < WARP ? source : lane;
}
