import type { Output } from '../output.ts';

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
/** A terminal that knows these shows all between them at once. */
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

/** A terminal's other screen, without a cursor, until it is closed: however the process ends. */
export class Screen {
  readonly #output: Output;
  readonly #close = (): void => this.close();
  #open = true;

  constructor(output: Output) {
    this.#output = output;
    process.once('exit', this.#close);
    output.write(ENTER);
  }

  /** Show these lines, none of them wider than the terminal. */
  show(lines: readonly string[]): void {
    if (!this.#open) return;
    // Each line is cleared before it is written: after one that is full, its last column would be cleared.
    const text = lines.map((line) => `\x1b[2K${line}`).join('\r\n');
    this.#output.write(`${BEGIN}\x1b[H${text}${lines.length < this.rows ? '\r\n\x1b[J' : ''}${END}`);
  }

  get columns(): number {
    return this.#output.columns || 80;
  }

  get rows(): number {
    return this.#output.rows || 24;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    process.off('exit', this.#close);
    this.#output.write(LEAVE);
  }
}
