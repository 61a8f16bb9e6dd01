import { arrayDTypes } from '../dtype.ts';
import type { Engine, Lane, LaneOptions, LaunchArgument } from '../engine.ts';
import { checkEngine } from '../apply.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { engineOf, laneOf, memoryOf, type NDArray } from '../ndarray.ts';
import { sharesElements } from '../sharing.ts';
import { pushScalarArgument, vectorLength } from './argument-value.ts';
import type { Language } from './element.ts';
import { parseArguments, type ArgumentOptions, type KernelArgument } from './kernel-argument.ts';

/** What a call's arguments come to. */
export interface Bound {
  readonly engine: Engine;
  readonly lane: Lane;
  /** The elements of the vectors; undefined where there is no vector. Of the first one, where lengths may differ. */
  readonly length: number | undefined;
  /** The memories, those that are written first, and behind them where each array begins. */
  readonly memories: LaunchArgument[];
  /** The scalars, which come last of a kernel's arguments. */
  readonly scalars: LaunchArgument[];
  /** Whether no other vector has an element of one that is written. */
  readonly isApart: boolean;
}

/** How a call's arguments are looked at. */
export interface BindOptions {
  readonly options: LaneOptions | undefined;
  /** Whether vectors may differ in length. */
  readonly anyLength: boolean;
  /** The array of a result, for the engine and the lane of calls without a vector. */
  readonly out?: NDArray | undefined;
}

/**
 * The parameters of a user's texts, and those of the kernel that passes them on. The texts stand in functions of their own, whose
 * parameters have the user's names, so that no name of theirs meets one of the kernel: there `x` is `x_memory` from `x_at` on, and
 * a number `a` is `a_value`. The kernel has the memories that may be written, those that are read alone, the places where arrays
 * begin, what it has itself, and the numbers.
 */
export class KernelArguments {
  readonly list: readonly KernelArgument[];
  /** Memories of the kernel, those that may be written first. */
  readonly memories: readonly Parameter[];
  /** Where the arrays begin, in their order: in elements, of structs and short vectors in bytes. */
  readonly offsets: readonly Parameter[];
  /** The numbers, and structs by value. They stand behind another number, since launches look for memories up to the first one. */
  readonly scalars: readonly Parameter[];
  /** How many memories, from the first, may be written. */
  readonly written: number;
  readonly #what: string;
  /** The places of vectors in the list, in the kernel's order. */
  readonly #vectors: readonly number[];
  readonly #scalars: readonly number[];

  /**
   * @param given - C declarations, in a text or a list; see {@link parseArguments}
   * @param what - the kernel, for errors
   */
  constructor(given: unknown, what: string, options?: ArgumentOptions) {
    this.#what = what;
    this.list = parseArguments(given, what, options);
    const places = this.list.map((_, i) => i);
    const isVector = (i: number): boolean => this.#at(i).kind === 'vector';
    const isWritten = (i: number): boolean => !this.#at(i).isConst;
    const vectors = places.filter(isVector);
    this.#vectors = [...vectors.filter(isWritten), ...vectors.filter((i) => !isWritten(i))];
    this.#scalars = places.filter((i) => !isVector(i));
    this.written = vectors.filter(isWritten).length;
    const all = this.#vectors.map((i) => this.#at(i));
    this.memories = all.map(({ name, dtype, isConst }) => {
      return {
        name: `${name}_memory`,
        dtype: typeof dtype === 'object' ? 'u8' : dtype,
        kind: isConst ? 'input' : 'output',
      };
    });
    this.offsets = all.map(({ name }) => ({ name: `${name}_at`, dtype: 'i64', kind: 'number' }));
    this.scalars = this.#scalars.flatMap((i) => scalarParameters(this.#at(i)));
  }

  /** The parameters of a function that has the user's texts. */
  formals(language: Language): string {
    return this.list.map(({ text }) => text[language]).join(', ');
  }

  /** What the kernel passes to such a function. */
  actuals(language: Language): string {
    return this.list.map((argument) => actual(argument, language)).join(', ');
  }

  /** A parameter by its name. */
  named(name: string): KernelArgument | undefined {
    return this.list.find((argument) => argument.name === name);
  }

  /**
   * What the kernel is passed for the arguments of a call.
   *
   * @throws TypeError one that its parameter does not take, or arrays of several contexts
   * @throws RangeError arrays of different lengths, or with gaps; a number that its parameter does not hold
   */
  bind(values: readonly unknown[], { options, anyLength, out }: BindOptions): Bound {
    const what = this.#what;
    if (values.length !== this.list.length) {
      throw new TypeError(
        `${what} must be given ${this.list.length} arguments (${this.list.map(({ name }) => name).join(', ')}), got ${values.length}`,
      );
    }
    const memories: LaunchArgument[] = [];
    const offsets: number[] = [];
    const scalars: LaunchArgument[] = [];
    let first = out;
    let at = -1;
    let length: number | undefined;
    // In the user's order: the first vector has the length, and the lane.
    for (let i = 0; i < values.length; i++) {
      const argument = this.#at(i);
      if (argument.kind !== 'vector') continue;
      const own = vectorLength(argument, values[i], what);
      if (at < 0) {
        at = i;
        first = values[i] as NDArray;
        length = own;
      } else if (own !== length && !anyLength) {
        throw new RangeError(
          `${what}: ${argument.name} must have as many elements as ${this.#at(at).name}, ${length ?? 0}, got ${own}; write { range } or { slice } for others`,
        );
      }
    }
    if (first === undefined) {
      throw new TypeError(`${what} must be given an NDArray, as an argument or as out, got numbers alone`);
    }
    const engine = engineOf(first);
    for (let i = 0; i < this.#vectors.length; i++) {
      const place = this.#vectors[i] as number;
      const array = values[place] as NDArray;
      checkEngine(array, engine, what);
      memories.push(memoryOf(array));
      offsets.push(this.#offset(this.#at(place), array, engine));
    }
    for (let i = 0; i < offsets.length; i++) memories.push(offsets[i] as number);
    for (let i = 0; i < this.#scalars.length; i++) {
      const place = this.#scalars[i] as number;
      pushScalarArgument(scalars, this.#at(place), values[place], engine, what);
    }
    const lane = engine.laneOf(options, what) ?? laneOf(first);
    return { engine, lane, length, memories, scalars, isApart: this.#isApart(values) };
  }

  #at(i: number): KernelArgument {
    return this.list[i] as KernelArgument;
  }

  /** Where an array begins. */
  #offset({ name, dtype }: KernelArgument, array: NDArray, engine: Engine): number {
    if (typeof dtype !== 'object') return array.offset;
    const bytes = array.offset * array.itemsize;
    // Memory begins at a multiple of 16, or says so.
    const alignment = Math.min(dtype.extent[engine.dialect.name]?.alignment ?? 1, 16);
    if (bytes % alignment === 0 && memoryOf(array).alignment % alignment === 0) return bytes;
    throw new RangeError(
      `${this.#what}: ${name} must begin at a multiple of ${alignment} bytes, the alignment of ${dtype.name}, got a view from byte ${bytes} on; write copy()`,
    );
  }

  #isApart(values: readonly unknown[]): boolean {
    for (let i = 0; i < this.written; i++) {
      const out = values[this.#vectors[i] as number] as NDArray;
      for (let j = i + 1; j < this.#vectors.length; j++) {
        if (sharesElements(out, values[this.#vectors[j] as number] as NDArray)) return false;
      }
    }
    return true;
  }
}

/** The kernel's parameters for a value: a complex number is passed in two parts, a struct as it is. */
export function scalarParameters({
  name,
  dtype,
  element,
}: Pick<KernelArgument, 'name' | 'dtype' | 'element'>): Parameter[] {
  const kind = 'number';
  if (typeof dtype === 'object') return [{ name: `${name}_value`, dtype: 'u8', kind, type: element }];
  const { kind: family, part } = arrayDTypes[dtype];
  if (family !== 'complex') return [{ name: `${name}_value`, dtype, kind }];
  return ['re', 'im'].map((each) => ({ name: `${name}_${each}_value`, dtype: part, kind }));
}

function actual({ name, kind, dtype, isConst, element }: KernelArgument, language: Language): string {
  if (kind === 'vector')
    return `(GLOBAL ${isConst ? 'const ' : ''}${element[language]} *)(${name}_memory + ${name}_at)`;
  return scalarText(name, dtype);
}

/** The text of the value that {@link scalarParameters} pass. */
export function scalarText(name: string, dtype: KernelArgument['dtype']): string {
  if (dtype === 'bool') return `${name}_value != 0`;
  if (dtype === 'c64' || dtype === 'c128') return `${dtype.toUpperCase()}(${name}_re_value, ${name}_im_value)`;
  return `${name}_value`;
}
