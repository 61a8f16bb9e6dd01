import { checkOptions } from '../../core/check.ts';
import { checkDType } from '../apply.ts';
import { normalizeAxes } from '../axes.ts';
import { broadcastShapes, broadcastTo } from '../broadcast.ts';
import { sizeOf } from '../shape.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaunchArgument } from '../engine.ts';
import { engineOf, memoryOf, NDArray, type OutOptions } from '../ndarray.ts';
import { pushScalar } from '../operand.ts';
import { reduceArrays, reducedCount } from '../reduction/reduce-arrays.ts';
import { Reducer } from '../reduction/reducer.ts';
import { reductionOf, type AxisReductionWork } from './axis-reduction-text.ts';
import type { Language } from './element.ts';
import { checkRaw } from './raw-array.ts';
import { checkScalar, resolveTypes, typeKey, typeOf, type TypedParameter } from './typed-parameter.ts';

/** The options of a call. */
export interface AxisReduceOptions extends OutOptions {
  /** The axis that is reduced, or several; all by default. */
  readonly axis?: number | readonly number[] | undefined;
  /** Whether reduced axes stay, with length 1. */
  readonly keepdims?: boolean | undefined;
}

const OPTIONS = ['axis', 'keepdims', 'out', 'stream', 'queue'];

/** What is kept for the dtypes of a call. */
interface Plan {
  readonly reducer: Reducer;
  readonly dtypes: readonly ArrayDType[];
}

/** A reduction of what a text makes of elements, along axes. */
export class AxisReduction {
  readonly #work: AxisReductionWork;
  readonly #plans = new Map<string, Plan>();
  #last: Reducer | undefined;

  constructor(work: AxisReductionWork) {
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
    const { name, inputs } = this.#work;
    const hasOptions = args.length === inputs.length + 1;
    const options = (hasOptions ? args.at(-1) : undefined) as AxisReduceOptions | undefined;
    if (options !== undefined) checkOptions(options, OPTIONS, name);
    const values = hasOptions ? args.slice(0, -1) : args;
    if (values.length !== inputs.length) {
      const names = inputs.map((parameter) => parameter.name).join(', ');
      throw new TypeError(`${name} must be given ${inputs.length} operands (${names}), got ${values.length}`);
    }
    const walked: NDArray[] = [];
    const raws: NDArray[] = [];
    values.forEach((value, i) => {
      if (value instanceof NDArray) value.use(name);
      if (inputs[i]?.isRaw === true) raws.push(checkRaw(inputs[i].name, value, name));
      else if (value instanceof NDArray) walked.push(value as NDArray);
    });
    const [first, ...more] = walked;
    if (first === undefined) throw new TypeError(`${name} must be given an NDArray that is not raw, got none`);
    const engine = engineOf(first);
    const shape = more.length === 0 ? first.shape : broadcastShapes(walked.map((array) => array.shape));
    const plan = this.#plan(values, engine.dialect.name);
    for (const dtype of plan.dtypes) checkDType(engine, dtype);
    const axes = normalizeAxes(options?.axis, shape.length, `${name}: axis`);
    const layouts = walked.map((array) => ({ array, layout: more.length === 0 ? array : broadcastTo(array, shape) }));
    const count = reducedCount(shape, axes);
    const sizes = [sizeOf(shape), count === 0 ? 0 : sizeOf(shape) / count];
    const mapped = {
      memories: raws.map((array) => memoryOf(array)),
      numbers: this.#numbers(values, plan, raws, sizes),
    };
    const result = reduceArrays(
      plan.reducer,
      layouts,
      { axes, keepdims: options?.keepdims === true, mapped },
      options,
      name,
      raws,
    );
    this.#last = plan.reducer;
    return result;
  }

  #numbers(
    values: readonly unknown[],
    { dtypes }: Plan,
    raws: readonly NDArray[],
    sizes: readonly number[],
  ): LaunchArgument[] {
    const { name, inputs } = this.#work;
    const numbers: LaunchArgument[] = [...raws.map(({ offset }) => offset), ...sizes];
    values.forEach((value, i) => {
      if (value instanceof NDArray) return;
      const dtype = dtypes[i] as ArrayDType;
      checkScalar(inputs[i] as TypedParameter, dtype, value, name);
      pushScalar(numbers, value as number, dtype);
    });
    return numbers;
  }

  #plan(values: readonly unknown[], language: Language): Plan {
    const { name, inputs, output, reduceType } = this.#work;
    const key = `${language} ${values.map((value) => typeKey(value)).join(' ')}`;
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      const parameters = [...inputs, output, ...(reduceType === undefined ? [] : [reduceType])];
      const types = resolveTypes(parameters, values, name);
      const dtypes = inputs.map((parameter) => typeOf(parameter, types));
      const isNumber = inputs.map(({ isRaw }, i) => !isRaw && !(values[i] instanceof NDArray));
      plan = { reducer: new Reducer(reductionOf(this.#work, types, isNumber, language)), dtypes };
      this.#plans.set(key, plan);
    }
    return plan;
  }
}
