import { closeSync, openSync, writeSync } from 'node:fs';
import { parse } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';
import { warn } from './errors.ts';
import { timelineFile } from './trace.ts';

/** A row of the timeline: Chrome's trace format calls the two a process and a thread. */
export interface TimelineRow {
  readonly pid: number;
  readonly tid: number;
}

/** What happened from one time to another on one row. Times are microseconds of this process's clock. */
export interface TimelineSlice {
  readonly name: string;
  readonly category: string;
  readonly row: TimelineRow;
  readonly start: number;
  readonly duration: number;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The number of the arrow that leaves here, or arrives. */
  readonly leaves?: number;
  readonly arrives?: number;
}

const KEPT = 256;

/**
 * A file in Chrome's trace format, which Perfetto (https://ui.perfetto.dev) shows. It grows as the program runs, and is
 * readable even where the program died.
 */
export class TimelineFile {
  readonly #path: string;
  readonly #named = new Set<string>();
  #lines: string[] = [];
  #file: number | undefined;
  #closed = false;
  #first = true;

  constructor(path: string) {
    this.#path = path;
  }

  /** The row of what this thread does. */
  get hostRow(): TimelineRow {
    const row = { pid: process.pid, tid: threadId };
    this.name(row, `host: ${parse(process.execPath).name}`, isMainThread ? 'main thread' : `worker ${threadId}`);
    return row;
  }

  /** Name a row; only the first name counts. */
  name({ pid, tid }: TimelineRow, process: string, thread: string): void {
    if (this.#named.has(`${pid} ${tid}`)) return;
    this.#named.add(`${pid} ${tid}`);
    this.#put({ ph: 'M', name: 'process_name', pid, tid, args: { name: process } });
    this.#put({ ph: 'M', name: 'thread_name', pid, tid, args: { name: thread } });
    this.#put({ ph: 'M', name: 'thread_sort_index', pid, tid, args: { sort_index: tid } });
  }

  slice({ name, category, row, start, duration, args, leaves, arrives }: TimelineSlice): void {
    const at = { ts: rounded(start), ...row };
    this.#put({ ph: 'X', name, cat: category, dur: rounded(duration), ...at, ...(args ? { args } : {}) });
    if (leaves !== undefined) this.#put({ ph: 's', name: 'launch', cat: 'launch', id: leaves, ...at });
    if (arrives !== undefined) this.#put({ ph: 'f', bp: 'e', name: 'launch', cat: 'launch', id: arrives, ...at });
  }

  /** A moment on a row. */
  mark(name: string, category: string, row: TimelineRow, at: number): void {
    this.#put({ ph: 'i', s: 't', name, cat: category, ts: rounded(at), ...row });
  }

  /** Write what is still kept, and close the file. */
  close(): void {
    if (this.#closed) return;
    this.#flush('\n]\n');
    this.#closed = true;
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #put(event: object): void {
    if (this.#closed) return;
    this.#lines.push(JSON.stringify(event));
    if (this.#lines.length >= KEPT) this.#flush('');
  }

  #flush(end: string): void {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0 && this.#first) return;
    const start = this.#first ? '[\n' : lines.length > 0 ? ',\n' : '';
    this.#first = false;
    try {
      this.#file ??= openSync(this.#path, 'w');
      writeSync(this.#file, `${start}${lines.join(',\n')}${end}`);
    } catch (error) {
      this.#closed = true;
      warn(`The timeline cannot be written: ${String(error)}`, 'RAWKERNEL_TRACE');
    }
  }
}

/** Now, in microseconds of the clock that timelines go by. */
export function timelineNow(): number {
  return 1000 * performance.now();
}

let file: TimelineFile | undefined;

/** The timeline that `RAWKERNEL_TRACE` asks for; each worker thread writes a file of its own. */
export function timeline(): TimelineFile | undefined {
  if (timelineFile === undefined) return undefined;
  return (file ??= openTimeline(timelineFile));
}

function openTimeline(path: string): TimelineFile {
  const { dir, name, ext } = parse(path);
  const own = isMainThread ? path : `${dir === '' ? '' : `${dir}/`}${name}.${threadId}${ext}`;
  const made = new TimelineFile(own);
  process.once('exit', () => {
    for (const finish of beforeClosing) finish();
    made.close();
  });
  return made;
}

const beforeClosing = new Set<() => void>();

/** Run something before the process's timeline is closed. */
export function beforeTimelineCloses(finish: () => void): void {
  beforeClosing.add(finish);
}

function rounded(microseconds: number): number {
  return Math.round(1000 * microseconds) / 1000;
}
