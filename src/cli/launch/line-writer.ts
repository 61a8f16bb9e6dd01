import type { Readable } from 'node:stream';
import type { Output } from '../output.ts';

const NEW_LINE = 10;
/** A line beyond this is shown in parts: memory has an end. */
const MAX_LINE = 2 ** 16;
/** Lines that a failure shows again. */
const KEPT = 20;

/** The last lines of a rank, of both of its streams. */
export class LastLines {
  readonly #lines: string[] = [];

  add(line: Buffer): void {
    this.#lines.push(line.subarray(0, 1000).toString().trimEnd());
    if (this.#lines.length > KEPT) this.#lines.shift();
  }

  get lines(): readonly string[] {
    return [...this.#lines];
  }
}

/** Writes what a stream has in whole lines, each behind a prefix: lines of several ranks do not mix. */
export class LineWriter {
  readonly #output: Output;
  readonly #prefix: Buffer;
  readonly #last: LastLines;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable, output: Output, prefix: string, last: LastLines) {
    this.#output = output;
    this.#prefix = Buffer.from(prefix);
    this.#last = last;
    stream.on('data', (chunk: Buffer) => this.#add(chunk));
    // A stream that breaks off has ended.
    stream.on('error', () => undefined).on('close', () => this.flush());
  }

  /** Write what is left, a line without an end. */
  flush(): void {
    if (this.#rest.length > 0) this.#write([this.#rest]);
    this.#rest = Buffer.alloc(0);
  }

  #add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
      lines.push(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    for (; this.#rest.length > MAX_LINE; this.#rest = this.#rest.subarray(MAX_LINE)) {
      lines.push(this.#rest.subarray(0, MAX_LINE));
    }
    if (lines.length > 0) this.#write(lines);
  }

  #write(lines: readonly Buffer[]): void {
    const end = Buffer.from('\n');
    for (const line of lines) this.#last.add(line);
    this.#output.write(Buffer.concat(lines.flatMap((line) => [this.#prefix, line, end])));
  }
}
