import { inspect } from 'node:util';

/** An output stream of a command. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  /** The current size of a terminal. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(data: string | Uint8Array): unknown;
}

/** Callbacks for the user's keys and signals while a command runs. */
export interface Watcher {
  /** A key or a signal ends the command. */
  readonly stop: () => void;
  /** The size of the terminal has changed. With this callback, the command reads keys. */
  readonly resized?: () => void;
}

/** The environment of a command; tests replace it. */
export interface IO {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Run the command line in another process, with more environment variables. */
  readonly again: (argv: readonly string[], env: Readonly<Record<string, string>>) => Promise<string>;
  /** Register callbacks; the returned function removes them. */
  readonly watch: (watcher: Watcher) => () => void;
}

/** The result of a command, for people and for programs. */
export interface Outcome {
  readonly document: object;
  readonly text: (paint: Paint) => string;
  /** 1 for a failure. */
  readonly code?: 0 | 1;
  /** Bytes for stdout; the text then goes to stderr. */
  readonly bytes?: Uint8Array;
}

/** Of Node.js's own list. */
export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colour a text, or leave it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** Wrong usage of a command: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Colours are for terminals, unless their user wants none. */
export function painter(output: Output, env: IO['env']): Paint {
  const colours = output.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  // Not util.styleText: newer releases of Node.js have it look at the process's own stdout.
  return (colour, text) => {
    const [on, off] = (colours ? inspect.colors[colour] : undefined) ?? [];
    return on === undefined || off === undefined ? text : `\x1b[${on}m${text}\x1b[${off}m`;
  };
}

/** A document as text, lists of plain values in one line. */
export function json(document: object): string {
  return `${layOut(JSON.parse(JSON.stringify(document, plain)), '')}\n`;
}

/** JSON has no 64-bit integers, infinities and NaN: they become strings. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function layOut(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${layOut(member, inner)}`);
    return members.length === 0 ? '{}' : `{\n${inner}${members.join(`,\n${inner}`)}\n${indent}}`;
  }
  const items = (value as readonly unknown[]).map((item) => layOut(item, inner));
  if (!value.some((item) => typeof item === 'object' && item !== null)) return `[${items.join(', ')}]`;
  return `[\n${inner}${items.join(`,\n${inner}`)}\n${indent}]`;
}

/** The first line and the others of what went wrong. */
export function messageOf(error: unknown): string {
  return (error as { message?: unknown } | undefined)?.message?.toString() ?? String(error);
}

/** Where there is room for one line only. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
