import { checkOptions, nameOf } from '../../core/check.ts';
import { checkEngine, empty } from '../apply.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { NDArray } from '../ndarray.ts';
import { Reducer, type MappedArguments } from '../reduction/reducer.ts';
import { THREADS } from '../reduction/walk.ts';
import { shapeText } from '../shape.ts';
import type { Language } from './element.ts';
import { foldFunctions, stateType, userFold, type StateType } from './fold-text.ts';
import { rangeOf, type RangeOptions } from './index-range.ts';
import type { KernelArguments } from './kernel-arguments.ts';
import { userText, type UserTextOptions } from './user-text.ts';

/** What a user has written of a reduction over an index. */
export interface IndexReductionWork extends UserTextOptions {
  readonly name: string;
  readonly type: StateType;
  readonly neutral: string;
  readonly reduce: string;
  readonly map: string;
  readonly parameters: KernelArguments;
}

/** The options of a call. */
export interface IndexReduceOptions extends LaneOptions, RangeOptions {
  /** Write the result into this array of one element; of a struct, of its bytes. */
  readonly out?: NDArray | undefined;
}

const OPTIONS = ['out', 'range', 'slice', 'stream', 'queue'];

/** A reduction of what a text makes of an index. */
export class IndexReduction {
  readonly #work: IndexReductionWork;
  readonly #reducers = new Map<string, Reducer>();
  #last: Reducer | undefined;

  constructor(work: IndexReductionWork) {
    this.#work = work;
  }

  get name(): string {
    return this.#work.name;
  }

  /** The source of the kernel that was compiled last. */
  get source(): string | undefined {
    return this.#last?.source;
  }

  run(args: readonly unknown[]): NDArray {
    const { name, parameters, type } = this.#work;
    const arity = parameters.list.length;
    const hasOptions = args.length === arity + 1;
    const options = (hasOptions ? args[arity] : undefined) as IndexReduceOptions | undefined;
    if (options !== undefined) checkOptions(options, OPTIONS, name);
    const out = this.#out(options?.out);
    const isRange = options?.range !== undefined || options?.slice !== undefined;
    const bound = parameters.bind(hasOptions ? args.slice(0, arity) : args, { options, anyLength: isRange, out });
    const { engine, lane, memories, scalars, length } = bound;
    if (out !== undefined) checkEngine(out, engine, name);
    const range = isRange ? rangeOf(options, length, name) : undefined;
    const count = range?.count ?? length;
    if (count === undefined) {
      throw new TypeError(`${name} must be given an array, or { range }, got numbers alone`);
    }
    const vectors = parameters.memories.length;
    const numbers = memories.splice(vectors, memories.length - vectors);
    numbers.push(length ?? count, range?.start ?? 0, range?.step ?? 1, ...scalars);
    const mapped: MappedArguments = { memories, numbers, shape: [count] };
    const reducer = this.#reducer(engine.dialect.name, isRange);
    const { struct, dtype } = type;
    const most = Math.floor(engine.facts.sharedBytes / THREADS);
    if (struct !== undefined && struct.byteLength > most) {
      throw new RangeError(
        `${name}: ${struct.name} must have at most ${most} bytes on ${engine.facts.name}, which shares them among ${THREADS} threads, got ${struct.byteLength}`,
      );
    }
    const made = out ?? empty(engine, struct === undefined ? [] : [struct.byteLength], dtype, lane);
    const offset = struct === undefined ? made.offset : made.offset / struct.byteLength;
    try {
      reducer.run(
        engine,
        lane,
        { array: made, layout: { shape: [], strides: [], offset } },
        [],
        [0],
        undefined,
        mapped,
      );
    } catch (error) {
      if (out === undefined) made.close();
      throw error;
    }
    this.#last = reducer;
    return made;
  }

  #out(out: unknown): NDArray | undefined {
    const { name, type } = this.#work;
    if (out === undefined) return undefined;
    const { dtype, struct } = type;
    const size = struct?.byteLength ?? 1;
    const wanted = struct === undefined ? `an NDArray of one ${dtype}` : `an NDArray of ${size} bytes, u8`;
    if (!(out instanceof NDArray)) throw new TypeError(`${name}: out must be ${wanted}, got ${nameOf(out)}`);
    out.use(name);
    const array = out as NDArray;
    if (array.dtype !== dtype) throw new TypeError(`${name}: out must be ${wanted}, got one of ${array.dtype}`);
    const isFit = array.size === size && array.isFlat && array.offset % size === 0;
    if (isFit) return array;
    throw new RangeError(
      `${name}: out must be ${wanted}, got shape ${shapeText(array.shape)} from element ${array.offset} on`,
    );
  }

  #reducer(language: Language, isRange: boolean): Reducer {
    const key = `${language} ${isRange}`;
    let reducer = this.#reducers.get(key);
    if (reducer === undefined) {
      reducer = this.#make(language, isRange);
      this.#reducers.set(key, reducer);
    }
    return reducer;
  }

  #make(language: Language, isRange: boolean): Reducer {
    const { name, type, neutral, reduce, map, parameters, options } = this.#work;
    const state = stateType(type);
    const formals = parameters.formals(language);
    const { head, preamble } = userText(language, this.#work, [formals, neutral, reduce, map]);
    const own = ['i', ...(parameters.named('n') === undefined ? ['n'] : [])];
    const mapFormals = [formals, ...own.map((each) => `const i64 ${each}`)].filter((each) => each !== '').join(', ');
    const number = (each: string): Parameter => ({ name: each, dtype: 'i64', kind: 'number' });
    const result: ArrayDType = type.dtype;
    return new Reducer({
      name: isRange ? `${name}_range` : name,
      inputs: [],
      value: {
        head,
        preamble: `${preamble}${foldFunctions(name, state, neutral, reduce)}FN ${state} ${name}_map(${mapFormals}) {\n  return ${map};\n}\n\n`,
        options,
        memories: parameters.memories,
        numbers: [...parameters.offsets, ...['length', 'range_first', 'range_step'].map(number), ...parameters.scalars],
        text: (_, at) => {
          const i = isRange ? `range_first + (i64)(${at}) * range_step` : `(i64)(${at})`;
          const actuals = [parameters.actuals(language), i, ...(own.length > 1 ? ['length'] : [])];
          return `${name}_map(${actuals.filter((each) => each !== '').join(', ')})`;
        },
      },
      element: result,
      result,
      ...(type.struct === undefined ? {} : { resultStruct: type.struct.name }),
      fold: () => userFold(name, type, { dtype: result === 'bool' ? 'u8' : result, text: (value) => value }),
    });
  }
}
