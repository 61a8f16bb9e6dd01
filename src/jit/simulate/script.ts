import { Script } from 'node:vm';
import type { JsSource } from '../emit/js-source.ts';
import type { Origin, Span } from '../tree.ts';
import type { ArrayType, ElementType } from '../kernel-type.ts';
import { shaped, STORAGES, type Elements, type KernelView } from './kernel-view.ts';
import { Fault } from './fault.ts';
import { machine } from './machine.ts';
import { positionAt } from './position.ts';
import { SimulationError } from './simulation-error.ts';
import { inlineMap, sourceMap, takeMarks, type Segment } from './source-map.ts';
import type { Thread } from './thread.ts';

export type Kernel = (thread: Thread, ...args: readonly unknown[]) => unknown;

let count = 0;

/** The text of a kernel as a script, whose places debuggers and stack traces find in the function that it is made of. */
export class KernelScript {
  readonly kernel: Kernel;
  readonly source: JsSource;
  readonly #file: string;
  readonly #segments: readonly Segment[];
  readonly #first: Origin;

  constructor(source: JsSource, name: string, origin: Origin) {
    this.#first = origin;
    this.source = source;
    this.#file = `rawkernel-jit/${name}.${++count}.js`;
    const { text, segments } = takeMarks(source.marked, source.program.origins);
    this.#segments = segments;
    const whole = `${text}\n${inlineMap(sourceMap(segments, this.#file))}`;
    const make = new Script(whole, { filename: this.#file }).runInThisContext() as (...args: unknown[]) => Kernel;
    this.kernel = make(machine, ...source.constants.map(constantArray));
  }

  /** `syncthreads in line 12` */
  siteText(site: number): string {
    const { origin, span } = this.#site(site);
    const { file, line } = positionAt(origin, span.start);
    const [call = ''] = origin.text.slice(span.start, span.end).split('(', 1);
    return `${call.split('.').at(-1) ?? ''} in ${file === undefined ? '' : `${file}:`}${file === undefined ? 'line ' : ''}${line}`;
  }

  #site(site: number): JsSource['program']['sites'][number] {
    return this.source.program.sites[site] as JsSource['program']['sites'][number];
  }

  /** An error of the kernel's text with the thread, the line and the frames of the function. */
  errorOf(thrown: unknown, thread: Thread): SimulationError {
    const error = this.#errorOf(thrown, thread);
    error.stack = `${error.name}: ${error.message}\n${this.#frames(stackOf(thrown))}`;
    return error;
  }

  #errorOf(thrown: unknown, thread: Thread): SimulationError {
    if (thrown instanceof Fault) {
      const { origin, span, array = 'an array', access = 'read' } = this.#site(thrown.site);
      const named = (text: string): string => text.replaceAll('{access}', access).replaceAll('{array}', array);
      return new SimulationError(named(thrown.reason), named(thrown.more), thread, origin, span);
    }
    const { message = String(thrown) } = thrown as Partial<Error>;
    const { origin, span } = this.#placeIn(stackOf(thrown));
    const error = new SimulationError(message, '', thread, origin, span);
    error.cause = thrown;
    return error;
  }

  /** Where the first frame of a stack is that is of this text. */
  #placeIn(stack: string): { readonly origin: Origin; readonly span: Span } {
    const at = stack.indexOf(`${this.#file}:`);
    const [line = 1, column = 1] = stack
      .slice(at + this.#file.length + 1)
      .split(/[:)\n]/)
      .map(Number);
    const found = at < 0 ? undefined : this.#find(line - 1, column - 1);
    const origin = found?.origin ?? this.#first;
    const start = found?.offset ?? 0;
    return { origin, span: { start, end: start + 1 } };
  }

  #find(line: number, column: number): Segment | undefined {
    return this.#segments.findLast((one) => one.line < line || (one.line === line && one.column <= column));
  }

  /** The frames from the kernel on, with the places of the function. */
  #frames(stack: string): string {
    const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
    const from = lines.findIndex((line) => line.includes(this.#file));
    return lines
      .slice(Math.max(0, from))
      .map((line) => this.#mapped(line))
      .join('\n');
  }

  #mapped(frame: string): string {
    const at = frame.indexOf(`${this.#file}:`);
    const [, line = '', column = ''] =
      at < 0 ? [] : (/^(\d+):(\d+)/.exec(frame.slice(at + this.#file.length + 1)) ?? []);
    const found = line === '' ? undefined : this.#find(Number(line) - 1, Number(column) - 1);
    if (found === undefined) return frame;
    const { file, line: row, column: place } = found.position;
    const name = /at (?:Object\.)?([\w$]+)/.exec(frame)?.[1] ?? '';
    return `    at ${name} (${file ?? `${this.#file}.source.js`}:${row}:${place + 1})`;
  }
}

/** A program may have changed what a stack is: `Error.prepareStackTrace`. */
function stackOf(thrown: unknown): string {
  const stack: unknown = thrown instanceof Error ? thrown.stack : undefined;
  return typeof stack === 'string' ? stack : '';
}

function constantArray({ type, values = [], shape = [] }: JsSource['constants'][number]): Elements | KernelView {
  // Constants are numbers.
  const element = (type as ArrayType).element as ElementType;
  const data = new STORAGES[element](values.length);
  for (const [i, value] of values.entries()) data[i] = value;
  return shaped(data, shape);
}
