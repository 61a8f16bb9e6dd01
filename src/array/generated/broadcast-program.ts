import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { checkDType, checkEngine, checkOut, copyInto, empty } from '../apply.ts';
import { broadcastShapes } from '../broadcast.ts';
import type { ArrayDType } from '../dtype.ts';
import type { ArrayKernel, Engine, LaneOptions, LaunchArgument } from '../engine.ts';
import { engineOf, laneOf, memoryOf, NDArray } from '../ndarray.ts';
import { pushScalar } from '../operand.ts';
import { Program } from '../program.ts';
import { mayDiffer, sharesElements } from '../sharing.ts';
import { asList } from '../shape.ts';
import { broadcastStatement, mayKeep, type BroadcastWork } from './broadcast-text.ts';
import { checkRaw } from './raw-array.ts';
import { checkScalar, resolveTypes, typeKey, typeOf, type TypedParameter } from './typed-parameter.ts';

/** The options of a call. */
export interface BroadcastCallOptions extends LaneOptions {
  /** Write the result into this array, or several into a list of arrays. */
  readonly out?: NDArray | readonly NDArray[] | undefined;
  /** The number of elements, where no array is walked along. */
  readonly size?: number | undefined;
}

/** What is kept for the dtypes of a call. */
interface Plan {
  readonly program: Program;
  /** The dtypes of inputs and outputs. */
  readonly dtypes: readonly ArrayDType[];
}

const OPTIONS = ['out', 'size', 'stream', 'queue'];
/** Kernels have a bit for each input in a number. */
const MAX_ARRAYS = 30;

/** A call's arguments, sorted. */
interface Call {
  readonly values: readonly unknown[];
  /** The arrays of results that were given, in the order of the outputs. */
  readonly outs: readonly (NDArray | undefined)[];
  readonly options: BroadcastCallOptions | undefined;
}

/** An elementwise kernel of a text without an index: it broadcasts. Programs are kept by the dtypes of operands. */
export class BroadcastProgram {
  readonly #work: BroadcastWork;
  readonly #parameters: readonly TypedParameter[];
  /** Whether some output may stay as it was. */
  readonly #keeps: boolean;
  readonly #plans = new Map<string, Plan>();
  #last: Program | undefined;

  constructor(work: BroadcastWork) {
    this.#work = work;
    this.#parameters = [...work.inputs, ...work.outputs];
    this.#keeps = work.outputs.some(({ name, isRaw }) => !isRaw && mayKeep(work, name));
  }

  get name(): string {
    return this.#work.name;
  }

  /** What the kernel of the last call was made of. */
  get source(): string | undefined {
    return this.#last?.source;
  }

  /** What the kernel of a call is made of. Results are made, and closed. */
  sourceFor(args: readonly unknown[]): string {
    let source = '';
    const build = (text: string): ArrayKernel => {
      source = text;
      return { launch: () => undefined, launchGrid: () => undefined };
    };
    const given = this.#sorted(args).outs;
    const results = this.#run(args, (plan, engine) => {
      const dry = Object.create(engine, { build: { value: build } }) as Engine;
      return [new Program(plan.program.work), dry];
    });
    for (const array of results) if (!given.includes(array)) array.close();
    return source;
  }

  run(args: readonly unknown[]): NDArray[] {
    return this.#run(args, (plan, engine) => {
      this.#last = plan.program;
      return [plan.program, engine];
    });
  }

  /** @param how - what runs, and where */
  #run(args: readonly unknown[], how: (plan: Plan, engine: Engine) => readonly [Program, Engine]): NDArray[] {
    const { name, inputs, outputs } = this.#work;
    const call = this.#sorted(args);
    const { values, outs, options } = call;
    const engine = this.#engine(call);
    const walked: NDArray[] = [];
    const raws: NDArray[] = [];
    for (let i = 0; i < inputs.length; i++) {
      const value = values[i];
      if (inputs[i]?.isRaw === true) raws.push(checkRaw((inputs[i] as TypedParameter).name, value, name));
      else if (value instanceof NDArray) walked.push(value as NDArray);
    }
    const shape = this.#shape(walked, call);
    const lane = engine.laneOf(options, name) ?? laneOf(firstOf(call) as NDArray);
    const plan = this.#plan(call, engine);
    const made: NDArray[] = [];
    try {
      const targets: NDArray[] = [];
      const results: NDArray[] = [];
      for (let i = 0; i < outputs.length; i++) {
        const out = outs[i];
        const dtype = plan.dtypes[inputs.length + i] as ArrayDType;
        if (outputs[i]?.isRaw === true) {
          raws.push(checkRaw((outputs[i] as TypedParameter).name, out, name));
          results.push(out as NDArray);
          continue;
        }
        let target = out;
        if (out !== undefined) checkOut(out, shape, engine, name);
        // Elements that are read later must not be written before: they are computed elsewhere first.
        if (
          out === undefined ||
          walked.some((array) => mayDiffer(out, array)) ||
          raws.some((array) => sharesElements(out, array))
        ) {
          target = empty(engine, shape, dtype, lane);
          made.push(target);
        }
        targets.push(target as NDArray);
        results.push(out ?? (target as NDArray));
      }
      checkApart(targets, name);
      const arrays = [...targets, ...walked, ...(this.#readsOutputs(outs) ? this.#walkedOuts(outs, targets) : [])];
      const [program, on] = how(plan, engine);
      program.run(on, lane, arrays, this.#arguments(call, plan, raws), shape);
      let at = 0;
      for (let i = 0; i < outputs.length; i++) {
        if (outputs[i]?.isRaw === true) continue;
        const [target, out] = [targets[at++] as NDArray, outs[i]];
        if (out !== undefined && out !== target) copyInto(out, target, lane);
        else if (out === undefined) made.splice(made.indexOf(target), 1);
      }
      return results;
    } finally {
      for (const array of made) array.close();
    }
  }

  /** What outputs held before: of an array that was given, its elements. */
  #walkedOuts(outs: readonly (NDArray | undefined)[], targets: readonly NDArray[]): NDArray[] {
    const given = outs.filter((_, i) => this.#work.outputs[i]?.isRaw !== true);
    return given.map((out, i) => out ?? (targets[i] as NDArray));
  }

  #readsOutputs(outs: readonly (NDArray | undefined)[]): boolean {
    return this.#keeps && this.#work.outputs.every(({ isRaw }, i) => isRaw || outs[i] !== undefined);
  }

  #sorted(args: readonly unknown[]): Call {
    const { name, inputs, outputs } = this.#work;
    const last = args.at(-1);
    const isOptions = args.length > inputs.length && isPlain(last);
    const options = (isOptions ? last : undefined) as BroadcastCallOptions | undefined;
    if (options !== undefined) checkOptions(options, OPTIONS, name);
    const values = isOptions ? args.slice(0, -1) : args;
    const given = values.slice(inputs.length);
    if (values.length < inputs.length || (given.length > 0 && given.length !== outputs.length)) {
      const names = inputs.map((parameter) => parameter.name).join(', ');
      throw new TypeError(`${name} must be given ${inputs.length} operands (${names}), got ${values.length}`);
    }
    if (given.length > 0 && options?.out !== undefined) {
      throw new TypeError(`${name} must be given its results once, got them as arguments and as out`);
    }
    const outs = given.length > 0 ? given : this.#outs(options?.out);
    for (const out of outs) {
      if (out !== undefined && !(out instanceof NDArray))
        throw new TypeError(`${name}: out must be an NDArray, got ${nameOf(out)}`);
      (out as NDArray | undefined)?.use(name);
    }
    for (const value of values) if (value instanceof NDArray) value.use(name);
    return { values, outs: outs as readonly (NDArray | undefined)[], options };
  }

  #outs(out: unknown): readonly unknown[] {
    const { name, outputs } = this.#work;
    if (out === undefined) return outputs.map(() => undefined);
    if (out instanceof NDArray && outputs.length === 1) return [out];
    const list = asList(out);
    if (list?.length === outputs.length && !(out instanceof NDArray)) {
      return Array.from(list, (each) => each ?? null);
    }
    throw new TypeError(
      `${name}: out must be ${outputs.length === 1 ? 'an NDArray' : `a list of ${outputs.length} NDArrays`}, got ${nameOf(out)}`,
    );
  }

  #engine(call: Call): Engine {
    const { name } = this.#work;
    const first = firstOf(call);
    if (first === undefined)
      throw new TypeError(`${name} must be given an NDArray, as an operand or as out, got numbers alone`);
    const engine = engineOf(first);
    for (const value of [...call.values, ...call.outs])
      if (value instanceof NDArray) checkEngine(value as NDArray, engine, name);
    return engine;
  }

  #shape(walked: readonly NDArray[], { outs, options }: Call): readonly number[] {
    const { name, outputs } = this.#work;
    const size = options?.size;
    const out = outs.find((_, i) => outputs[i]?.isRaw !== true);
    if (size !== undefined) {
      if (walked.length > 0)
        throw new TypeError(`${name}: size must be left out where an operand has a shape, got ${size}`);
      return [checkInteger(size, `${name}: size`)];
    }
    const [only, ...more] = walked;
    if (only !== undefined) return more.length === 0 ? only.shape : broadcastShapes(walked.map((array) => array.shape));
    if (out !== undefined) return out.shape;
    throw new TypeError(`${name} must be given size where no operand has a shape; write { size }`);
  }

  #plan({ values, outs }: Call, engine: Engine): Plan {
    const { name, inputs, outputs } = this.#work;
    const readsOutputs = this.#readsOutputs(outs);
    const language = engine.dialect.name;
    let key = language + (readsOutputs ? '+' : '');
    for (let i = 0; i < inputs.length; i++) key += ` ${typeKey(values[i])}`;
    for (let i = 0; i < outputs.length; i++) key += ` ${typeKey(outs[i])}`;
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      const all = [...values.slice(0, inputs.length), ...outs];
      const types = resolveTypes(this.#parameters, all, name);
      const dtypes = this.#parameters.map((parameter) => typeOf(parameter, types));
      for (const dtype of dtypes) checkDType(engine, dtype);
      const isNumber = inputs.map(({ isRaw }, i) => !isRaw && !(values[i] instanceof NDArray));
      const statement = broadcastStatement(this.#work, { types, isNumber, readsOutputs, language });
      const dtypeAt = (i: number): ArrayDType => dtypes[i] as ArrayDType;
      const results = outputs.flatMap(({ isRaw }, i) => (isRaw ? [] : [dtypeAt(inputs.length + i)]));
      const walked = inputs.flatMap(({ isRaw }, i) => (isRaw || isNumber[i] === true ? [] : [dtypeAt(i)]));
      if (walked.length + results.length > MAX_ARRAYS) {
        throw new RangeError(`${name} must have at most ${MAX_ARRAYS} arrays, got ${walked.length + results.length}`);
      }
      const program = new Program({
        name: [name, ...new Set(dtypes)].join('_'),
        inputs: [...walked, ...(readsOutputs ? results : [])],
        scalars: inputs.flatMap((_, i) => (isNumber[i] === true ? [dtypeAt(i)] : [])),
        outputs: results.map((dtype) => ({ dtype })),
        statement,
      });
      plan = { program, dtypes };
      this.#plans.set(key, plan);
    }
    return plan;
  }

  /** The memories that the text indexes, where they begin, then the numbers. */
  #arguments({ values }: Call, { dtypes }: Plan, raws: readonly NDArray[]): LaunchArgument[] {
    const { name, inputs } = this.#work;
    const args: LaunchArgument[] = raws.map((array) => memoryOf(array));
    for (let i = 0; i < raws.length; i++) args.push((raws[i] as NDArray).offset);
    for (let i = 0; i < inputs.length; i++) {
      const value = values[i];
      if (value instanceof NDArray) continue;
      const dtype = dtypes[i] as ArrayDType;
      checkScalar(inputs[i] as TypedParameter, dtype, value, name);
      pushScalar(args, value as number, dtype);
    }
    return args;
  }
}

function firstOf({ values, outs }: Call): NDArray | undefined {
  return [...values, ...outs].find((value) => value instanceof NDArray) as NDArray | undefined;
}

function isPlain(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === 'object' && value !== null && !(value instanceof NDArray) && !('re' in value);
}

function checkApart(targets: readonly NDArray[], what: string): void {
  for (let i = 1; i < targets.length; i++) {
    for (let j = 0; j < i; j++) {
      if (!sharesElements(targets[i] as NDArray, targets[j] as NDArray)) continue;
      throw new RangeError(`${what}: each result must have an array of its own, got two that share elements`);
    }
  }
}
