import { sourceFrame } from './diagnostics.ts';

/** What a check found. */
export type ReportKind =
  | 'out-of-bounds'
  | 'use-after-free'
  | 'null-dereference'
  | 'misaligned'
  | 'uninitialised-read'
  | 'invalid-shift'
  | 'missing-return'
  | 'shared-race'
  | 'global-race'
  | 'divergent-barrier'
  | 'warp-deadlock'
  | 'assertion'
  | 'trap'
  | 'timeout';

/** A place in a kernel's source. */
export interface ReportPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column?: number | undefined;
  readonly function: string;
  /** Where the function was called from, if the compiler put its code there. */
  readonly inlinedAt?: ReportPlace | undefined;
}

/** An index of a thread or a block: x, y, z. */
export type ReportIndex = readonly [x: number, y: number, z: number];

/** Under which a table of functions offers its checked mode. */
export const CHECKS: unique symbol = Symbol.for('rawkernel.checks') as never;

/** The checked mode of a device. */
export interface CheckedDevice {
  /**
   * Check the programs that are compiled in a context from now on.
   *
   * @param mode - `1`, `bounds`, `report`, or some of them with commas between
   * @returns a status of the device's functions
   */
  readonly check: (context: bigint, mode: string) => number;
  /**
   * What was found in the kernels of a context by now, oldest first. The program counts as having heard of it.
   *
   * @param context - 0n stands for the one that has refused a call last because a kernel has ended it, once
   */
  readonly reportsOf: (context: bigint) => readonly KernelReport[];
  /** Print what was found by now and the program has not heard of: it lets go of what the kernels used. */
  readonly tell: () => void;
}

/** What a report is made of. */
export interface ReportDetails {
  readonly kind: ReportKind;
  readonly summary: string;
  readonly kernel: string;
  readonly thread?: ReportIndex | undefined;
  readonly block?: ReportIndex | undefined;
  readonly address?: bigint | undefined;
  readonly place?: ReportPlace | undefined;
  readonly others?: readonly { readonly what: string; readonly place?: ReportPlace | undefined }[] | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly count?: number | undefined;
}

/** Something that a kernel did wrong, as the checked mode of the embedded device found it. */
export class KernelReport {
  readonly kind: ReportKind;
  /** What happened, in one line. */
  readonly summary: string;
  readonly kernel: string;
  /** The thread in its block, and its block; undefined where that is not known. */
  readonly thread: ReportIndex | undefined;
  readonly block: ReportIndex | undefined;
  /** The device address, for what is about memory. */
  readonly address: bigint | undefined;
  readonly place: ReportPlace | undefined;
  /** Other threads that are part of it, and where they were. */
  readonly others: readonly { readonly what: string; readonly place?: ReportPlace | undefined }[];
  readonly notes: readonly string[];
  /** How often it was found at this place. */
  readonly count: number;
  readonly #source: { readonly text: string; readonly file: string } | undefined;

  /** @internal */
  constructor(details: ReportDetails, source?: { readonly text: string; readonly file: string }) {
    this.kind = details.kind;
    this.summary = details.summary;
    this.kernel = details.kernel;
    this.thread = details.thread;
    this.block = details.block;
    this.address = details.address;
    this.place = details.place;
    this.others = details.others ?? [];
    this.notes = details.notes ?? [];
    this.count = details.count ?? 1;
    this.#source = source;
  }

  /** The report with its source lines. */
  toString(): string {
    const { place, others, notes, count } = this;
    // Where threads wait at several places, the first of them is that of the report.
    const lines = [this.summary, ...(others[0]?.place === place ? [] : this.#where(place))];
    for (const { what, place: other } of others) lines.push(what, ...this.#where(other));
    lines.push(...notes);
    if (count > 1) lines.push(`found ${count} times here`);
    return lines.join('\n');
  }

  /** For JSON, which has no bigint. */
  toJSON(): object {
    const { kind, summary, kernel, thread, block, address, place, others, notes, count } = this;
    const at = address === undefined ? undefined : `0x${address.toString(16)}`;
    return { kind, summary, kernel, thread, block, address: at, place, others, notes, count };
  }

  /** The line, and the calls by which the code came into the kernel. */
  #where(place: ReportPlace | undefined): string[] {
    if (!place) return [];
    const lines = [`  at ${describe(place)}`];
    const source = this.#source;
    if (source?.file === place.file && place.line > 0) {
      lines.push(sourceFrame(source.text, place.line, place.column).replace(/^/gm, '  '));
    }
    for (let outer = place.inlinedAt; outer; outer = outer.inlinedAt) lines.push(`  called from ${describe(outer)}`);
    return lines;
  }
}

function describe({ file, line, column, function: name }: ReportPlace): string {
  const where = line === 0 ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`;
  return where === '' ? name : `${name} (${where})`;
}
