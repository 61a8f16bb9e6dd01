import { paintReport } from './colours.ts';
import { sourceFrame } from './diagnostics.ts';
import { fileText } from './file-text.ts';
import { drawReport } from './report-drawing.ts';
import type { ReportAccess, ReportIndex, ReportKind, ReportOther, ReportPlace } from './report-parts.ts';

export type { ReportAccess, ReportIndex, ReportKind, ReportOther, ReportPlace } from './report-parts.ts';

/** The key under which a table of functions offers its checked mode. */
export const CHECKS: unique symbol = Symbol.for('rawkernel.checks') as never;

/** The checked mode of a device. */
export interface CheckedDevice {
  /**
   * Check the programs that are compiled in a context from now on.
   *
   * @param mode - `1`, `report`, the name of a part, or some of them with commas between
   * @returns a status of the device's functions
   */
  readonly check: (context: bigint, mode: string) => number;
  /** Whether programs of a context are checked. */
  readonly isChecked: (context: bigint) => boolean;
  /**
   * What was found in the kernels of a context by now, oldest first. They count as reported to the program.
   *
   * @param context - 0n stands, once, for the context that was the last to refuse a call because a kernel has ended the context
   */
  readonly reportsOf: (context: bigint) => readonly KernelReport[];
  /** Print the findings that were not reported to the program, which now releases what the kernels used. */
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
  readonly blockSize?: ReportIndex | undefined;
  readonly access?: ReportAccess | undefined;
  readonly variable?: string | undefined;
  readonly allocatedAt?: string | undefined;
  readonly launchedAt?: string | undefined;
  readonly cure?: string | undefined;
  readonly others?: readonly ReportOther[] | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly count?: number | undefined;
}

/** The key of the function by which Node.js prints an object. */
const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** The most inlined calls that a report shows of a place: a report fits a screen. */
const MAX_CALLS = 2;
const MAX_LINES = 20;

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
  /** The variable's element that it is about, in the source's words: `cache[1]`; undefined where that is not known. */
  readonly variable: string | undefined;
  /** Of an access. */
  readonly access: ReportAccess | undefined;
  readonly place: ReportPlace | undefined;
  /** Other threads that are part of it, and where they were. */
  readonly others: readonly ReportOther[];
  /** Threads of a block of the launch. */
  readonly blockSize: ReportIndex | undefined;
  /** The line of the program that launched the kernel, `program.ts:20`; it is known of checked kernels. */
  readonly launchedAt: string | undefined;
  /** The line that allocated the memory, where it is the program's. */
  readonly allocatedAt: string | undefined;
  /** What takes the mistake away, where that can be told. */
  readonly cure: string | undefined;
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
    this.variable = details.variable;
    this.access = details.access;
    this.place = details.place;
    this.blockSize = details.blockSize;
    this.launchedAt = details.launchedAt;
    this.allocatedAt = details.allocatedAt;
    this.cure = details.cure;
    this.others = details.others ?? [];
    this.notes = details.notes ?? [];
    this.count = details.count ?? 1;
    this.#source = source;
  }

  /** The report with its source lines: of a race at most twenty lines. */
  toString(): string {
    const text = this.#lines(1).join('\n');
    return text.split('\n').length > MAX_LINES ? this.#lines(0).join('\n') : text;
  }

  /** @param around - lines before and behind one of the source */
  #lines(around: number): readonly string[] {
    const { place, others, notes, count, launchedAt, cure } = this;
    // Where threads wait at several places, the first of them is that of the report.
    const lines = [
      this.summary,
      ...(others[0]?.place && isSame(others[0].place, place) ? [] : this.#where(place, around)),
    ];
    for (const { what, place: other } of others) lines.push(what, ...this.#where(other, around));
    lines.push(...notes);
    if (launchedAt !== undefined) lines.push(`launched at ${launchedAt}`);
    if (count > 1) lines.push(`found ${count} times here`);
    if (cure !== undefined) lines.push(`cure: ${cure}`);
    return lines;
  }

  /**
   * The report as a picture: the block and its threads, the accesses or the waiting threads, and what is missing between.
   *
   * @returns the text of an SVG document
   */
  toSVG(): string {
    return drawReport(this);
  }

  /** For JSON, which has no bigint. */
  toJSON(): object {
    const { kind, summary, kernel, thread, block, blockSize, variable, access, address, place, others } = this;
    const { notes, cure, launchedAt, allocatedAt, count } = this;
    const at = address === undefined ? undefined : `0x${address.toString(16)}`;
    const what = { kind, summary, kernel, variable, access, address: at, thread, block, blockSize };
    return { ...what, place, others, notes, cure, launchedAt, allocatedAt, count };
  }

  /**
   * What console.log() shows of it, in a list too.
   *
   * @internal
   */
  [INSPECT](_: unknown, options?: { readonly colors?: boolean }): string {
    const text = this.toString();
    return options?.colors === true ? paintReport(text) : text;
  }

  /** The line, and the calls by which the code was inlined into the kernel. */
  #where(place: ReportPlace | undefined, around: number): string[] {
    if (!place) return [];
    const lines = [`  at ${describe(place)}`];
    const source = this.#source;
    // A header, or the program in TypeScript that a kernel was made of.
    const text = source?.file === place.file ? source.text : fileText(place.file);
    if (text !== undefined && place.line > 0) {
      lines.push(sourceFrame(text, place.line, place.column, around).replace(/^/gm, '  '));
    }
    let calls = 0;
    for (let outer = place.inlinedAt; outer && calls < MAX_CALLS; outer = outer.inlinedAt, calls++) {
      lines.push(`  called from ${describe(outer)}`);
    }
    return lines;
  }
}

function isSame(a: ReportPlace, b: ReportPlace | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function describe({ file, line, column, function: name }: ReportPlace): string {
  const where = line === 0 ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`;
  return where === '' ? name : `${name} (${where})`;
}
