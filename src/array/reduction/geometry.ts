import type { Iteration } from '../collapse.ts';
import type { DeviceFacts } from '../engine.ts';
import { lengthAt, strideAt } from '../layout.ts';
import { THREADS } from './walk.ts';

/** What is to be reduced: the axes that stay and those that do not, and the strides of every array along both. */
export interface Extent {
  /** The axes that stay; the strides of inputs, then those of the output. */
  readonly kept: Iteration;
  /** The reduced axes; the strides of inputs, then the steps of places where they matter. */
  readonly reduced: Iteration;
}

/** How the work is laid out. */
export interface Geometry {
  readonly geometry: 'rows' | 'columns';
  readonly isSerial: boolean;
  readonly lanes: number;
  readonly isPacked: boolean;
  readonly isUnit: boolean;
  /** How many elements one state takes, and how many states one result has. */
  readonly chunk: number;
  readonly chunks: number;
  /** The rows of the output: those of columns, or elements. */
  readonly rows: number;
  /** The length of the axis of columns, and how many pieces of `lanes`, or of a group's width, it has. */
  readonly columns: number;
  readonly columnPieces: number;
  /** The threads of a group. */
  readonly width: number;
  readonly height: number;
  readonly groups: number;
}

/** What the elements are. */
export interface ElementFacts {
  /** The number of inputs. */
  readonly inputs: number;
  /** Elements of 16 bytes, by the widest dtype. */
  readonly perPack: number;
  /** Whether all inputs begin at a place that a pack fits. */
  readonly isAligned: boolean;
  /** The fields of a state. */
  readonly fields: number;
  /** The bytes of a state, and of what a thread keeps for each of the elements that it has at once. */
  readonly stateBytes: number;
  readonly laneBytes: number;
  /** Whether states of another kernel are read. */
  readonly isJoin: boolean;
}

/** What one thread reduces, where threads run one after another: long enough that a launch does not matter. */
const SERIAL_ELEMENTS = 32768;
/** The states of columns that a thread has at once. */
const COLUMN_BYTES = 256;
/** Packs that a thread has to read for another group to be worth its while. */
const MIN_PACKS = 8;

/** Lay the work out for a device. */
export function layOut(extent: Extent, elements: ElementFacts, facts: DeviceFacts): Geometry {
  const isColumns = hasColumns(extent, elements.inputs);
  const isSerial = facts.packBytes === 0;
  if (isColumns) return isSerial ? serialColumns(extent, elements, facts) : parallelColumns(extent, elements, facts);
  return isSerial ? serialRows(extent, elements, facts) : parallelRows(extent, elements, facts);
}

/** Whether elements that stay apart are closer in memory than those that become one. */
function hasColumns({ kept, reduced }: Extent, inputs: number): boolean {
  return closest(kept, inputs) < closest(reduced, inputs);
}

/** The least stride of a first input along the last axis. */
function closest({ shape, strides }: Iteration, inputs: number): number {
  const axis = shape.length - 1;
  for (let i = 0; axis >= 0 && i < inputs; i++) {
    const stride = Math.abs(strideAt(strides[i] ?? [], axis));
    if (stride !== 0) return stride;
  }
  return Infinity;
}

function lengthOf({ shape }: Iteration): number {
  let length = 1;
  for (const each of shape) length *= each;
  return length;
}

/** Whether every input has stride 1 along the last axis. */
function isUnit({ shape, strides }: Iteration, inputs: number): boolean {
  for (let i = 0; i < inputs; i++) if (strides[i]?.[shape.length - 1] !== 1) return false;
  return true;
}

/** Whether packs along the last axis of one iteration begin at places that fit them, wherever the others are. */
function fitsPacks(along: Iteration, across: Iteration, { inputs, perPack, isAligned }: ElementFacts): boolean {
  if (!isAligned || !isUnit(along, inputs)) return false;
  const rank = along.shape.length;
  if (rank > 1 && lengthAt(along.shape, rank - 1) % perPack !== 0) return false;
  for (let i = 0; i < inputs; i++) {
    const [one = [], other = []] = [along.strides[i], across.strides[i]];
    if (one.some((stride, axis) => axis < rank - 1 && stride % perPack !== 0)) return false;
    if (other.some((stride) => stride % perPack !== 0)) return false;
  }
  return true;
}

function powerOfTwo(least: number): number {
  return least <= 1 ? 1 : 2 ** Math.ceil(Math.log2(least));
}

/** Chunks of about one length, each a multiple of a number of elements but the last. */
function split(n: number, chunks: number, multiple: number): { chunk: number; chunks: number } {
  if (chunks <= 1) return { chunk: n, chunks: 1 };
  const chunk = Math.ceil(n / chunks / multiple) * multiple;
  return { chunk, chunks: Math.ceil(n / chunk) };
}

/** Elements that a thread has at once: a few vectors of the processor. */
function serialLanes({ isJoin, fields }: ElementFacts, bytes: number): number {
  if (isJoin) return 1;
  return fields > 2 ? 4 : Math.max(Math.min(64 / powerOfTwo(bytes), 16), 4);
}

/** Columns that a thread has at once: whole lines of the processor's cache, and some that follow each other, where there are so many. */
function columnLanes(elements: ElementFacts, columns: number): number {
  const few = serialLanes(elements, elements.stateBytes);
  const many = elements.isJoin || elements.fields > 1 ? few : COLUMN_BYTES / powerOfTwo(elements.stateBytes);
  return columns >= many ? many : columns >= few ? few : Math.min(few, 4);
}

function serialRows({ kept, reduced }: Extent, elements: ElementFacts, facts: DeviceFacts): Geometry {
  const rows = lengthOf(kept);
  const n = lengthOf(reduced);
  const most = serialLanes(elements, elements.laneBytes);
  const lanes = n >= 8 * most ? most : n >= 16 ? Math.min(most, 4) : 1;
  const parts = elements.isJoin ? { chunk: n, chunks: 1 } : split(n, n / SERIAL_ELEMENTS, lanes);
  const items = rows * parts.chunks;
  return {
    geometry: 'rows',
    isSerial: true,
    lanes,
    isPacked: false,
    isUnit: isUnit(reduced, elements.inputs),
    ...parts,
    rows,
    columns: 1,
    columnPieces: 1,
    ...serialGroups(items, parts.chunk, facts),
  };
}

/** Groups whose threads together have about as much to do as one thread of a long row. */
function serialGroups(
  items: number,
  each: number,
  facts: DeviceFacts,
): { width: number; height: number; groups: number } {
  const fair = Math.ceil(items / (4 * facts.groups));
  const width = Math.max(1, Math.min(THREADS, Math.floor(SERIAL_ELEMENTS / Math.max(each, 1)), fair));
  return { width, height: 1, groups: Math.ceil(items / width) };
}

function parallelRows({ kept, reduced }: Extent, elements: ElementFacts, facts: DeviceFacts): Geometry {
  const rows = lengthOf(kept);
  const n = lengthOf(reduced);
  const isPacked = elements.perPack > 1 && n >= elements.perPack && fitsPacks(reduced, kept, elements);
  const lanes = elements.isJoin ? 1 : isPacked ? elements.perPack : 4;
  // A short row is for few threads, so that a group has several rows.
  const width = Math.min(powerOfTwo(n / (lanes * 4)), threadsOf(facts));
  const height = threadsOf(facts) / width;
  const rowGroups = Math.ceil(rows / height);
  const wanted = Math.min(facts.groups / rowGroups, n / (width * lanes * MIN_PACKS));
  const parts = elements.isJoin ? { chunk: n, chunks: 1 } : split(n, Math.ceil(wanted), width * lanes);
  return {
    geometry: 'rows',
    isSerial: false,
    lanes,
    isPacked,
    isUnit: isUnit(reduced, elements.inputs),
    ...parts,
    rows,
    columns: 1,
    columnPieces: 1,
    width,
    height,
    groups: Math.ceil((rows * parts.chunks) / height),
  };
}

function threadsOf(facts: DeviceFacts): number {
  return 2 ** Math.floor(Math.log2(Math.min(THREADS, facts.groupSize)));
}

function serialColumns({ kept, reduced }: Extent, elements: ElementFacts, facts: DeviceFacts): Geometry {
  const columns = lengthAt(kept.shape, kept.shape.length - 1);
  const rows = lengthOf(kept) / columns;
  const n = lengthOf(reduced);
  const lanes = n < 32 ? 1 : columnLanes(elements, columns);
  const columnPieces = Math.ceil(columns / lanes);
  const parts = elements.isJoin ? { chunk: n, chunks: 1 } : split(n, (n * lanes) / SERIAL_ELEMENTS, 1);
  return {
    geometry: 'columns',
    isSerial: true,
    lanes,
    isPacked: false,
    isUnit: isUnit(kept, elements.inputs),
    ...parts,
    rows,
    columns,
    columnPieces,
    ...serialGroups(rows * parts.chunks * columnPieces, parts.chunk * lanes, facts),
  };
}

function parallelColumns({ kept, reduced }: Extent, elements: ElementFacts, facts: DeviceFacts): Geometry {
  const columns = lengthAt(kept.shape, kept.shape.length - 1);
  const rows = lengthOf(kept) / columns;
  const n = lengthOf(reduced);
  const isPacked =
    !elements.isJoin && elements.perPack > 1 && columns % elements.perPack === 0 && fitsPacks(kept, reduced, elements);
  const lanes = isPacked ? elements.perPack : 1;
  const threads = threadsOf(facts);
  const wide = powerOfTwo(columns / lanes);
  // Few columns, or few elements in each, leave threads for the other direction.
  const height = Math.min(powerOfTwo(n / 4), threads / Math.min(wide, 32));
  const width = Math.min(wide, threads / height);
  const columnPieces = Math.ceil(columns / (lanes * width));
  const wanted = Math.min(facts.groups / (columnPieces * rows), n / (height * MIN_PACKS));
  // No more groups than run at once: a few that come after the others would double the time.
  const parts = elements.isJoin ? { chunk: n, chunks: 1 } : split(n, Math.floor(wanted), height);
  return {
    geometry: 'columns',
    isSerial: false,
    lanes,
    isPacked,
    isUnit: isUnit(kept, elements.inputs),
    ...parts,
    rows,
    columns,
    columnPieces,
    width,
    height,
    groups: columnPieces * rows * parts.chunks,
  };
}
