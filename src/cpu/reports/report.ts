import {
  KernelReport,
  type ReportDetails,
  type ReportIndex,
  type ReportKind,
  type ReportPlace,
} from '../../core/kernel-report.ts';
import { hostPlace } from '../../core/host-place.ts';
import { describeOrder } from '../abi/order.ts';
import { sourceNamed, type CpuSite } from '../abi/program.ts';
import { imageFinding } from './image-report.ts';
import { countsOnLockstep, LOCKSTEP } from './lockstep.ts';
import { cureOf } from './report-cure.ts';
import { subjectOf, type Subject } from './report-subject.ts';
import { FaultKind, hasAddress, Reason } from '../runtime/fault.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import type { DeviceMemory } from '../runtime/memory.ts';

type Part = Pick<ReportDetails, 'kind' | 'summary'> & Partial<ReportDetails>;

const KINDS: Readonly<Record<number, ReportKind>> = {
  [FaultKind.OUT_OF_BOUNDS]: 'out-of-bounds',
  [FaultKind.USE_AFTER_FREE]: 'use-after-free',
  [FaultKind.NULL]: 'null-dereference',
  [FaultKind.MISALIGNED]: 'misaligned',
  [FaultKind.UNINITIALIZED]: 'uninitialised-read',
  [FaultKind.SHARED_RACE]: 'shared-race',
  [FaultKind.GLOBAL_RACE]: 'global-race',
  [FaultKind.THREAD_RACE]: 'global-race',
  [FaultKind.DIVERGENT_BARRIER]: 'divergent-barrier',
  [FaultKind.SKIPPED_BARRIER]: 'divergent-barrier',
  [FaultKind.WARP_DEADLOCK]: 'warp-deadlock',
  [FaultKind.ASSERTION]: 'assertion',
  [FaultKind.SHIFT]: 'invalid-shift',
  [FaultKind.INDEX]: 'out-of-bounds',
  [FaultKind.END]: 'missing-return',
  [FaultKind.UNSET]: 'uninitialised-read',
  [FaultKind.PEER]: 'no-peer-access',
};

/** The terms of a language. */
interface Words {
  readonly thread: string;
  readonly threads: string;
  readonly block: string;
  readonly blocks: string;
  readonly warp: string;
  readonly shared: string;
}

const CUDA: Words = {
  ...{ thread: 'thread', threads: 'threads', block: 'block', blocks: 'blocks', warp: 'warp' },
  shared: 'shared',
};
const OPENCL: Words = {
  ...{ thread: 'work-item', threads: 'work-items', block: 'work-group', blocks: 'work-groups', warp: 'sub-group' },
  shared: 'local',
};

const REASONS: Readonly<Record<number, string>> = {
  [Reason.ADDRESS]: 'access of an address that no memory has',
  [Reason.TRAP]: '__trap()',
  [Reason.ALIGNMENT]: 'misaligned atomic access',
  [Reason.POINTER]: 'call through a bad function pointer',
  [Reason.STACK]: 'stack overflow: the recursion is too deep',
};

const VERBS = { read: 'reads', write: 'writes', atomic: 'updates' } as const;
const NOUNS = { read: 'read', write: 'write', atomic: 'atomic access' } as const;

/** A finding in words. */
export function reportOf(finding: EngineFinding, memory: DeviceMemory): KernelReport {
  const { program, place, thread, block, blockSize, count, order, launch } = finding;
  const subject = subjectOf(finding, memory);
  const part = partOf(finding, subject, memory);
  const { address } = finding;
  const details: ReportDetails = {
    kernel: nameOf(finding),
    thread: thread === undefined ? undefined : unlinear(thread, blockSize),
    block: block === undefined ? undefined : blockIndex(block, finding),
    blockSize: finding.blockSize,
    address: hasAddress(finding.kind) ? address : undefined,
    access: place && hasAddress(finding.kind) ? kindOf(place) : undefined,
    variable: subject.variable,
    allocatedAt: subject.allocatedAt,
    launchedAt: hostPlace(launch?.host),
    cure: cureOf(finding, subject, memory, wordsOf(finding) === OPENCL),
    place: place ? bare(place) : { file: '', line: 0, function: nameOf(finding) },
    count,
    ...part,
    notes: [...(part.notes ?? []), ...(order === undefined ? [] : [describeOrder(order)])],
  };
  const source = sourceNamed(program, place?.file) ?? program;
  return new KernelReport(details, source && { text: source.source, file: source.file });
}

function partOf(finding: EngineFinding, subject: Subject, memory: DeviceMemory): Part {
  const { kind, detail } = finding;
  const known = KINDS[kind] ?? 'trap';
  const words = wordsOf(finding);
  switch (kind) {
    case FaultKind.OUT_OF_BOUNDS:
    case FaultKind.USE_AFTER_FREE:
    case FaultKind.NULL:
    case FaultKind.MISALIGNED:
    case FaultKind.UNINITIALIZED: {
      const word = known.replace('-dereference', '-pointer').replace(/-read$/, '');
      const summary = `${word} ${accessOf(finding, subject)} ${byWhom(finding)}`;
      return { kind: known, summary, notes: subject.facts };
    }
    case FaultKind.SHIFT:
    case FaultKind.INDEX:
    case FaultKind.END:
    case FaultKind.UNSET:
      return { kind: known, summary: `${undefinedOf(finding, subject)} ${byWhom(finding)}` };
    case FaultKind.SHARED_RACE:
    case FaultKind.GLOBAL_RACE:
    case FaultKind.THREAD_RACE:
      return raceOf(finding, known, subject);
    case FaultKind.DIVERGENT_BARRIER:
      return {
        kind: known,
        summary: `divergent barrier: the ${words.threads} of ${blockOf(finding)} wait for each other at different places`,
        others: groupsOf(finding),
      };
    case FaultKind.SKIPPED_BARRIER:
      return {
        kind: known,
        summary: `divergent barrier: some ${words.threads} of ${blockOf(finding)} wait at a barrier that others never reached, and a GPU may wait for ever`,
        others: groupsOf(finding),
      };
    case FaultKind.WARP_DEADLOCK: {
      const { warp, threads } = words;
      const summary = `${warp} deadlock: ${threads} of ${blockOf(finding)} wait in their ${warp} for others that never arrive`;
      return { kind: known, summary, others: groupsOf(finding) };
    }
    case FaultKind.IMAGE: {
      const { kind: image, summary } = imageFinding(finding, memory);
      return { kind: image, summary: `${summary} ${byWhom(finding)}`, notes: advice(finding) };
    }
    case FaultKind.PEER: {
      const { of = 0, memory: device = 0, owner = 'context' } = finding.peer ?? {};
      const place = `${owner === 'context' ? 'memory' : `a ${owner}`} of device ${device}`;
      const summary = `no peer access: ${accessOf(finding, subject)} in ${place} ${byWhom(finding)}, which runs on device ${of}`;
      return { kind: known, summary, notes: [...subject.facts, ...advice(finding)] };
    }
    case FaultKind.ASSERTION:
      return { kind: known, summary: `assertion in line ${detail} failed ${byWhom(finding)}`, notes: advice(finding) };
    default:
      return { kind: 'trap', summary: `${reasonOf(finding)} ${byWhom(finding)}`, notes: advice(finding) };
  }
}

/** A report on undefined behaviour. */
function undefinedOf({ kind, address, place }: EngineFinding, { variable }: Subject): string {
  const { name = '', bytes = 0 } = place?.object ?? {};
  const value = BigInt.asIntN(64, address);
  switch (kind) {
    case FaultKind.SHIFT:
      return `invalid shift: a value of type ${name}, which has ${8 * bytes} bits, is shifted by ${BigInt.asIntN(32, value)}`;
    case FaultKind.INDEX:
      return name.includes('[')
        ? `out of bounds${variable === undefined ? '' : `: ${variable}`}: index ${value} of an array of type ${name}`
        : `out of bounds: access of a value of type ${name} that is not whole in its variable`;
    case FaultKind.END:
      return 'missing return: the end of a function that has to return a value is reached';
    default:
      return `uninitialised variable${name === '' ? '' : ` ${name}`}: it has no value where it decides something or is written to memory`;
  }
}

function raceOf(finding: EngineFinding, kind: ReportKind, subject: Subject): Part {
  const { block, otherPlace, other, blockSize } = finding;
  const words = wordsOf(finding);
  const inside = finding.kind !== FaultKind.GLOBAL_RACE;
  const who = inside
    ? `${words.thread} ${show(unlinear(other, blockSize))}`
    : `${words.block} ${show(blockIndex(other, finding))}`;
  const what = kind === 'shared-race' ? words.shared : 'global';
  const order = inside ? 'with no barrier between' : `and nothing orders the ${words.blocks}`;
  const summary = `race on ${what} memory: ${accessOf(finding, subject)} ${byWhom(finding)}, ${order}`;
  const verb = otherPlace ? VERBS[kindOf(otherPlace)] : 'is at';
  const whose = inside
    ? { thread: unlinear(other, blockSize), block: block === undefined ? undefined : blockIndex(block, finding) }
    : { block: blockIndex(other, finding) };
  const access = otherPlace && kindOf(otherPlace);
  const one = { what: `${who} ${verb} the same`, place: otherPlace && bare(otherPlace), access, ...whose };
  return { kind, summary, others: [one], notes: [...(countsOnLockstep(finding) ? [LOCKSTEP] : []), ...subject.facts] };
}

/** The threads that wait, by the places at which they do. */
function groupsOf(finding: EngineFinding): NonNullable<ReportDetails['others']> {
  const { groups, blockSize, program } = finding;
  const words = wordsOf(finding);
  return groups.map(({ site, count, first }) => {
    const threads = `${count} ${count === 1 ? words.thread : words.threads}, the first ${show(unlinear(first, blockSize))},`;
    const who = { thread: unlinear(first, blockSize), threads: count };
    if (site === undefined) return { what: `${threads} returned`, ...who };
    const place = program?.sites[site];
    return { what: `${threads} wait${count === 1 ? 's' : ''}`, place: place && bare(place), ...who };
  });
}

function nameOf({ program, kernel = '?' }: EngineFinding): string {
  return program?.kernels.find(({ symbol }) => symbol === kernel)?.name ?? kernel;
}

function blockOf(finding: EngineFinding): string {
  const { block } = finding;
  const word = wordsOf(finding).block;
  return `${block === undefined ? `a ${word}` : `${word} ${show(blockIndex(block, finding))}`} of ${nameOf(finding)}`;
}

function byWhom(finding: EngineFinding): string {
  const { thread, blockSize, block, firstBlock } = finding;
  const words = wordsOf(finding);
  if (thread !== undefined && block !== undefined) {
    return `by ${words.thread} ${show(unlinear(thread, blockSize))} of ${blockOf(finding)}`;
  }
  return `by ${nameOf(finding)}, in ${words.block} ${show(blockIndex(firstBlock, finding))} or soon after it`;
}

function reasonOf({ reason }: EngineFinding): string {
  return REASONS[reason] ?? 'fault';
}

/** Only checked kernels know where they are. */
function advice(finding: EngineFinding): string[] {
  if (finding.program?.checked !== false) return [];
  return [`RAWKERNEL_CPU_CHECK=1 tells the ${wordsOf(finding).thread} and the line`];
}

function kindOf({ kind }: CpuSite): keyof typeof NOUNS {
  return kind === 'read' || kind === 'atomic' ? kind : 'write';
}

/** The access and its variable, by name or by address. */
function accessOf({ place, address }: EngineFinding, { variable }: Subject): string {
  const noun = place ? NOUNS[kindOf(place)] : 'access';
  if (variable !== undefined) return `${noun} of ${variable}`;
  const bytes = place && place.size > 0 ? ` of ${place.size} byte${place.size === 1 ? '' : 's'}` : '';
  return `${noun}${bytes} at 0x${address.toString(16)}`;
}

/** A place without the fields that only the compiler needs. */
function bare({ file, line, column, function: name, inlinedAt }: CpuSite): ReportPlace {
  return { file, line, column, function: name, inlinedAt };
}

function wordsOf({ program }: EngineFinding): Words {
  return program?.kernels.some(({ opencl }) => opencl !== undefined) === true ? OPENCL : CUDA;
}

function blockIndex(index: number, { gridSize, gridFirst }: EngineFinding): ReportIndex {
  const [x, y, z] = unlinear(index, gridSize);
  return [x + gridFirst[0], y + gridFirst[1], z + gridFirst[2]];
}

function unlinear(index: number, [x, y]: ReportIndex): ReportIndex {
  return [index % (x || 1), Math.floor(index / (x || 1)) % (y || 1), Math.floor(index / ((x || 1) * (y || 1)))];
}

function show(index: ReportIndex): string {
  return `(${index.join(', ')})`;
}
