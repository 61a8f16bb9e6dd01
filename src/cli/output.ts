import { inspect } from 'node:util';

/** Where a command writes. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  /** Of a terminal: how large it is now. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(data: string | Uint8Array): unknown;
}

/** What wants to hear of the user meanwhile. */
export interface Watcher {
  /** A key or a signal says that it is enough. */
  readonly stop: () => void;
  /** The terminal has another size. Where this is given, keys are the command's. */
  readonly resized?: () => void;
}

/** What a command has of its surroundings; tests put their own in its place. */
export interface IO {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Run the command line once more, in a process of its own, with other variables. */
  readonly again: (argv: readonly string[], env: Readonly<Record<string, string>>) => Promise<string>;
  /** Hear of the user, until the function that comes back is called. */
  readonly watch: (watcher: Watcher) => () => void;
}

/** What a command has to say, for people and for programs. */
export interface Outcome {
  readonly document: object;
  readonly text: (paint: Paint) => string;
  /** 1 where the work failed. */
  readonly code?: 0 | 1;
  /** Bytes for stdout instead; the text goes to stderr then. */
  readonly bytes?: Uint8Array;
}

/** Of Node.js's own list. */
export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colour a text, or leave it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** The command was not used as it is meant to be: exit code 2. */
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
