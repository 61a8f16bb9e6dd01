import type { ReportKind } from '../../../src/core/kernel-report.ts';
import { BYTES, WARP, type ArrayOf } from './program.ts';

/** An access of an element. */
export interface Access {
  readonly thread: number;
  readonly block: number;
  /** How often the thread has met its warp. */
  readonly warpEpoch: number;
  readonly kind: 'read' | 'write' | 'atomic';
  /** What is written, where it depends on nothing that a kernel writes. */
  readonly value: number | undefined;
}

interface Element {
  readonly array: ArrayOf;
  readonly index: number;
  readonly accesses: Access[];
}

/** Accesses of the same elements by threads that do not wait for each other. */
export class Conflicts {
  readonly #must: Map<ReportKind, string>;
  readonly #may: Set<string>;
  /** Those of the block that runs, since its last barrier. */
  readonly #sinceBarrier = new Map<string, Element>();
  /** Those of global memory by all blocks. */
  readonly #global = new Map<string, Element>();
  /** A fence was executed: what global memory holds may be in order by it. */
  fenced = false;

  constructor(must: Map<ReportKind, string>, may: Set<string>) {
    this.#must = must;
    this.#may = may;
  }

  note(array: ArrayOf, index: number, access: Access): void {
    add(this.#sinceBarrier, array, index, access);
    if (array.space !== 'shared' && array.space !== 'input') add(this.#global, array, index, access);
  }

  /** The threads of the block have met. */
  barrier(): void {
    for (const element of this.#sinceBarrier.values()) this.#look(element, inOneBlock);
    this.#sinceBarrier.clear();
  }

  endBlock(): void {
    this.barrier();
  }

  betweenBlocks(): void {
    for (const element of this.#global.values()) this.#look(element, (a, b) => a.block !== b.block);
  }

  #look({ array, index, accesses }: Element, unordered: (a: Access, b: Access) => boolean): void {
    if (accesses.every(({ kind }) => kind === 'read') || accesses.every(({ kind }) => kind === 'atomic')) return;
    const kind = array.space === 'shared' ? 'shared-race' : 'global-race';
    if (this.#must.has(kind)) return;
    for (const a of accesses) {
      if (a.kind !== 'write' && a.kind !== 'atomic') continue;
      for (const b of accesses) {
        if (!unordered(a, b) || (a.kind === 'atomic' && b.kind === 'atomic')) continue;
        const text = `${array.name}[${index}]: ${a.kind} by ${a.block}/${a.thread}, ${b.kind} by ${b.block}/${b.thread}`;
        if (BYTES[array.element] < 4) this.#may.add(`parts of a word: ${text}`);
        else if (this.fenced && array.space !== 'shared') this.#may.add(`after a fence: ${text}`);
        else if (a.kind === 'write' && b.kind === 'write' && !differ(a, b)) this.#may.add(`the same value: ${text}`);
        else {
          this.#must.set(kind, text);
          return;
        }
      }
    }
  }
}

function inOneBlock(a: Access, b: Access): boolean {
  if (a.thread === b.thread) return false;
  return Math.floor(a.thread / WARP) !== Math.floor(b.thread / WARP) || a.warpEpoch === b.warpEpoch;
}

function differ(a: Access, b: Access): boolean {
  return a.value !== undefined && b.value !== undefined && a.value !== b.value;
}

function add(to: Map<string, Element>, array: ArrayOf, index: number, access: Access): void {
  const key = `${array.name} ${index}`;
  const known = to.get(key);
  if (!known) {
    to.set(key, { array, index, accesses: [access] });
    return;
  }
  const { accesses } = known;
  const same = (one: Access | undefined): boolean =>
    one?.thread === access.thread &&
    one.block === access.block &&
    one.warpEpoch === access.warpEpoch &&
    one.kind === access.kind &&
    one.value === access.value;
  // A loop reads the same again and again.
  if (!same(accesses.at(-1)) && !same(accesses.at(-2))) accesses.push(access);
}
