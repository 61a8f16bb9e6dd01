import { describeEntry, isPointToPoint, type FlightEntry } from './flight-record.ts';

/** What a rank says of itself, or what is known of one that says nothing. */
export interface RankState {
  readonly rank: number;
  /** Its calls around the first that is not finished, in their order. */
  readonly entries: readonly FlightEntry[];
  /** Why it has left the job: `signal SIGKILL`. */
  readonly left?: string | undefined;
  /** It did not answer: its entries, if any, are what it said earlier. */
  readonly isSilent?: boolean | undefined;
  /** It has not said that it came. */
  readonly isMissing?: boolean | undefined;
  /** It can no longer be asked: the store of the job is gone. */
  readonly isUnknown?: boolean | undefined;
  /** It waits in a call that is not on the record, such as `init`, or `split (train.ts:12)`. */
  readonly waiting?: string | undefined;
  /** It has closed or aborted the communicator, or could not make it, after so many collectives. */
  readonly gone?: { readonly how: 'closed' | 'aborted' | 'failed' | 'ended'; readonly calls: number } | undefined;
  /** Why its communicator takes no more calls. */
  readonly failed?: string | undefined;
  /** The kernels that it has launched last, the latest first. */
  readonly launched?: string | undefined;
  /** How many processes have come as this rank. */
  readonly comers?: number | undefined;
  /** How many ranks they believe that there are. */
  readonly sizes?: readonly number[] | undefined;
}

/** Why a collective did not finish, as far as the ranks' records tell. */
export interface HangReport {
  /** A sentence a line. The first ones name the ranks, the calls and the lines of the program that differ. */
  readonly lines: readonly string[];
  readonly ranks: readonly RankState[];
}

/**
 * Compare what the ranks are at.
 *
 * @param states - one a rank, in the order of ranks
 * @param timeoutMs - the time limit that is over; undefined: a rank has left
 * @param lost - why the ranks cannot tell each other what they are at
 */
export function reportHang(states: readonly RankState[], timeoutMs?: number, lost?: string): HangReport {
  const lines = [
    ...describeComing(states, timeoutMs),
    ...describeLeft(states),
    ...describeGone(states),
    ...describeMismatch(states),
    ...describeSilent(states),
    ...(lost === undefined ? [] : [lost]),
  ];
  const places = describePlaces(states.filter(isThere));
  // Where each rank is stands last, unless a mismatch has said it.
  const isTold = lines.some((line) => line.includes(' is at ') || line.includes(' are at '));
  return { lines: isTold ? lines : [...lines, ...places, ...advice(states, lines)], ranks: states };
}

/** The first call that a rank has not finished. */
function headOf({ entries }: RankState): FlightEntry | undefined {
  return entries.find((entry) => !entry.isDone);
}

function lastOf({ entries }: RankState): FlightEntry | undefined {
  return entries.at(-1);
}

function describeLeft(states: readonly RankState[]): string[] {
  const gone = states.filter((state) => state.left !== undefined);
  const awaited = states.find((state) => state.left === undefined && headOf(state) !== undefined);
  const head = awaited && headOf(awaited);
  return gone.map((state) => `rank ${state.rank} ${leftText(state.left ?? '')}${whereText(state, head)}`);
}

/** What is known of the call in which a rank has left: it need not have told of its last one. */
function whereText(state: RankState, head: FlightEntry | undefined): string {
  if (head === undefined) return '';
  if (isClean(state.left) && !hasCalled(state, head)) return ` while ${nameOf(head)} waited for it`;
  return hasCalled(state, head) ? ` in ${nameOf(head)}` : ` before ${nameOf(head)} was finished`;
}

/** Whether a rank has ended without a failure. */
export function isClean(reason: string | undefined): boolean {
  return reason === 'closed' || reason === 'exit code 0';
}

/** Ranks that take no more part though their processes go on. */
function describeGone(states: readonly RankState[]): string[] {
  const head = states
    .filter(isThere)
    .map(headOf)
    .find((entry) => entry !== undefined && !isPointToPoint(entry));
  const isStarting = states.some(({ waiting }) => waiting === 'init');
  return states
    .filter(({ left, gone, failed }) => left === undefined && (gone !== undefined || failed !== undefined))
    .map(({ rank, gone, failed }) => {
      const why = failed === undefined ? '' : `: ${failed}`;
      if (gone === undefined) return `rank ${rank} makes no more calls${why}`;
      const place = head === undefined ? '' : ` ${gone.calls < head.sequence ? 'before' : 'in'} ${nameOf(head)}`;
      if (gone.how === 'ended') return `rank ${rank} has ended${place}`;
      if (gone.how !== 'failed') return `rank ${rank} has ${gone.how} the communicator${place}`;
      return `rank ${rank} has failed${isStarting ? ' in init' : place}${why}`;
    });
}

/** Whether a rank has said what it is at. */
function isThere({ left, isSilent, isUnknown, isMissing, gone }: RankState): boolean {
  return left === undefined && isSilent !== true && isUnknown !== true && isMissing !== true && gone === undefined;
}

/** `signal SIGKILL` is what the launcher says, `connection lost` and `closed` what the store says. */
function leftText(reason: string): string {
  if (reason === 'connection lost') return 'was killed, or has lost its connection,';
  if (reason === 'closed') return 'has left the job';
  if (isClean(reason)) return `ended with ${reason}`;
  return `exited with ${reason.replace(/^exit code/, 'code')}`;
}

/** Ranks that have not come, or as others than they are. */
function describeComing(states: readonly RankState[], timeoutMs: number | undefined): string[] {
  const twice = states.filter(({ comers = 1 }) => comers > 1).map(({ rank }) => rank);
  const lines = twice.map(
    (rank) => `rank ${rank} has come twice: several processes have this number; each rank must have one of its own`,
  );
  const sizes = groupBy(
    states.flatMap(({ rank, sizes: said = [] }) => said.map((size) => ({ rank, text: String(size) }))),
  );
  if (sizes.length > 1) {
    const parts = sizes.map(
      ({ ranks, text }) => `${ranksText(ranks)} ${ranks.length === 1 ? 'counts' : 'count'} ${text} ranks`,
    );
    lines.push(`The number of ranks differs: ${parts.join('; ')}`);
  }
  return [...lines, ...describeMissing(states, timeoutMs)];
}

function describeMissing(states: readonly RankState[], timeoutMs: number | undefined): string[] {
  const missing = states.filter((state) => state.isMissing === true && state.left === undefined);
  if (missing.length === 0) return [];
  const ranks = missing.map(({ rank }) => rank);
  const within = timeoutMs === undefined ? '' : ` within ${secondsText(timeoutMs)}`;
  return [`${ranksText(ranks)} ${ranks.length === 1 ? 'has' : 'have'} not come to init${within}`];
}

/** `30 s`, `0.25 s`. */
function secondsText(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}

/** What a call has come to: `did not finish within 3 s`; without a limit a rank has left, and it never will. */
export function endText(timeoutMs: number | undefined): string {
  return timeoutMs === undefined ? 'cannot finish' : `did not finish within ${secondsText(timeoutMs)}`;
}

function hasCalled(state: RankState, entry: FlightEntry): boolean {
  return state.entries.some((own) => own.sequence === entry.sequence && isPointToPoint(own) === isPointToPoint(entry));
}

function nameOf({ name, sequence }: FlightEntry): string {
  return `${name} #${sequence}`;
}

function describeSilent(states: readonly RankState[]): string[] {
  return states
    .filter(({ isSilent, left, isMissing }) => isSilent === true && left === undefined && isMissing !== true)
    .map((state) => {
      const last = headOf(state) ?? lastOf(state);
      const known =
        last === undefined ? 'it has called nothing that is known' : `its last call was ${describeEntry(last)}`;
      return `rank ${state.rank} does not answer; ${known}: its event loop is blocked, or its process is stopped`;
    });
}

/** What two calls of one number differ in; undefined: nothing. */
function differenceOf(a: FlightEntry, b: FlightEntry): string | undefined {
  if (a.name !== b.name) return 'operation';
  if (a.dtype !== b.dtype) return 'dtype';
  if (a.count !== b.count) return 'count';
  if (a.peer !== b.peer) return 'root';
  if (a.op !== b.op) return 'reduction';
  return undefined;
}

function describeMismatch(states: readonly RankState[]): string[] {
  return [...collectiveMismatch(states), ...pairMismatch(states)];
}

/** The first collective that two ranks have called in different ways. */
function collectiveMismatch(states: readonly RankState[]): string[] {
  const known = states.map((state) => ({ state, calls: collectivesOf(state) }));
  const numbers = [...new Set(known.flatMap(({ calls }) => [...calls.keys()]))].sort((a, b) => a - b);
  for (const number of numbers) {
    const calls = known.flatMap(({ state, calls: own }) => {
      const entry = own.get(number);
      return entry === undefined ? [] : [{ rank: state.rank, entry }];
    });
    const [first] = calls;
    const other = first && calls.find(({ entry }) => differenceOf(first.entry, entry) !== undefined);
    if (first === undefined || other === undefined) continue;
    const difference = differenceOf(first.entry, other.entry) ?? '';
    const isOrder = isSwapped(
      known.map((one) => one.calls),
      number,
    );
    const cause = isOrder ? 'The order of the calls differs' : `The ${difference} differs`;
    return [groupText(calls), `${cause}: all ranks must make the same calls in the same order`];
  }
  return [];
}

function collectivesOf({ entries }: RankState): ReadonlyMap<number, FlightEntry> {
  return new Map(entries.filter((entry) => !isPointToPoint(entry)).map((entry) => [entry.sequence, entry]));
}

/** Whether one rank makes two calls in the order in which another makes them the other way around. */
function isSwapped(all: readonly ReadonlyMap<number, FlightEntry>[], number: number): boolean {
  const pairs = all.flatMap((calls) => {
    const [here, next] = [calls.get(number), calls.get(number + 1)];
    return here === undefined || next === undefined ? [] : [{ here, next }];
  });
  return pairs.some((one) =>
    pairs.some(
      (other) =>
        differenceOf(one.here, other.here) !== undefined &&
        differenceOf(one.here, other.next) === undefined &&
        differenceOf(one.next, other.here) === undefined,
    ),
  );
}

/** A send and the recv of the same number between two ranks that do not fit together. */
function pairMismatch(states: readonly RankState[]): string[] {
  for (const state of states) {
    for (const send of state.entries.filter(({ name }) => name === 'send')) {
      const peer = states.find(({ rank }) => rank === send.peer);
      const recv = peer?.entries.find(
        ({ name, peer: from, sequence }) => name === 'recv' && from === state.rank && sequence === send.sequence,
      );
      if (recv === undefined || (recv.count === send.count && recv.dtype === send.dtype)) continue;
      const what = recv.dtype === send.dtype ? 'count' : 'dtype';
      return [
        `rank ${state.rank} is at ${describeEntry(send)}; rank ${send.peer} is at ${describeEntry(recv)}`,
        `The ${what} differs: a recv must have the count and dtype of its send`,
      ];
    }
  }
  return [];
}

interface Placed {
  readonly rank: number;
  readonly entry: FlightEntry;
}

interface Group {
  readonly text: string;
  readonly ranks: number[];
}

/** The fewest ranks first, since they tend to be wrong. */
function groupBy(said: readonly { readonly rank: number; readonly text: string }[]): Group[] {
  const groups = new Map<string, number[]>();
  for (const { rank, text } of said) groups.set(text, [...(groups.get(text) ?? []), rank]);
  return [...groups].map(([text, ranks]) => ({ text, ranks })).sort((a, b) => a.ranks.length - b.ranks.length);
}

/** `rank 2 is at …; ranks 0, 1, 3 are at …` */
function groupText(calls: readonly Placed[]): string {
  return groupBy(calls.map(({ rank, entry }) => ({ rank, text: describeEntry(entry) })))
    .map(({ text, ranks }) => `${ranksText(ranks)} ${ranks.length === 1 ? 'is' : 'are'} at ${text}`)
    .join('; ');
}

/** `rank 2`, `ranks 0, 1, 3`, `ranks 0 to 6, 8`. */
export function ranksText(ranks: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < ranks.length;) {
    let end = i;
    while (ranks[end + 1] === (ranks[end] ?? NaN) + 1) end++;
    if (end - i >= 3) parts.push(`${ranks[i]} to ${ranks[end]}`);
    else for (let at = i; at <= end; at++) parts.push(String(ranks[at]));
    i = end + 1;
  }
  return `${ranks.length === 1 ? 'rank' : 'ranks'} ${parts.join(', ')}`;
}

/** Where each rank that answers is. */
function describePlaces(states: readonly RankState[]): string[] {
  const at = states.flatMap((state) => {
    const entry = headOf(state);
    return entry === undefined ? [] : [{ rank: state.rank, entry }];
  });
  const lines = at.length > 0 ? [groupText(at)] : [];
  const ahead = Math.max(0, ...at.filter(({ entry }) => !isPointToPoint(entry)).map(({ entry }) => entry.sequence));
  const idle = states.filter((one) => headOf(one) === undefined);
  const waiting = groupBy(idle.flatMap(({ rank, waiting: text }) => (text === undefined ? [] : [{ rank, text }])));
  lines.push(
    ...waiting.map(({ text, ranks }) => `${ranksText(ranks)} ${ranks.length === 1 ? 'waits' : 'wait'} in ${text}`),
  );
  const [awaited] = waiting.map(({ text }) => text.split(' ')[0]);
  for (const state of idle) {
    if (state.waiting === undefined && state.failed === undefined) {
      lines.push(idleText(state, missingText(state, at, ahead, awaited)));
    }
  }
  return lines;
}

/** What a rank that waits for nothing has not called. */
function missingText({ rank }: RankState, at: readonly Placed[], ahead: number, awaited: string | undefined): string {
  if (ahead > 0) return `has not called #${ahead}`;
  if (awaited !== undefined) return `has not called ${awaited}`;
  const pair = at.find(({ entry }) => isPointToPoint(entry) && entry.peer === rank);
  if (pair === undefined) return 'waits for nothing';
  const { name, sequence } = pair.entry;
  const [other, way] = name === 'send' ? ['recv', 'from'] : ['send', 'to'];
  return `has not called ${other} #${sequence} ${way} rank ${pair.rank}`;
}

function idleText(state: RankState, missing: string): string {
  const last = lastOf(state);
  if (last === undefined) return `rank ${state.rank} ${missing}: it has made no call on this communicator`;
  return `rank ${state.rank} ${missing}: its last call, ${describeEntry(last)}, is finished`;
}

function advice(states: readonly RankState[], lines: readonly string[]): string[] {
  const heads = states.map(headOf);
  const [first] = heads;
  const isSame =
    first !== undefined &&
    heads.every(
      (head) => head !== undefined && differenceOf(first, head) === undefined && head.sequence === first.sequence,
    );
  if (!isSame || lines.length > 0 || states.length < 2) return [];
  const launched = groupBy(states.map(({ rank, launched: text = 'none' }) => ({ rank, text })));
  return [
    ...(launched.some(({ text }) => text !== 'none')
      ? [`Kernels launched last: ${launched.map(({ ranks, text }) => `${ranksText(ranks)}: ${text}`).join('; ')}`]
      : []),
    'All ranks have made the same calls: look at the GPUs, at work that is before it on its streams, and at the network (NCCL_DEBUG=INFO)',
  ];
}
