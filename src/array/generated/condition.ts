import { checkOptions, nameOf } from '../../core/check.ts';
import type { StructTypes } from '../../core/struct.ts';
import { empty } from '../apply.ts';
import { Compaction, countOf, type CompactData } from '../compact/compact.ts';
import type { CompactText } from '../compact/compact-text.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { storageType, type Parameter } from '../kernel/dialect.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { shapeText } from '../shape.ts';
import { expressionText } from './expression-text.ts';
import { KernelArguments } from './kernel-arguments.ts';
import { checkText, userText } from './user-text.ts';
import { lanesOf } from '../lane-options.ts';

/** The options of {@link copyIf} and its siblings. */
export interface ConditionOptions extends LaneOptions {
  /** What the expression names beside the array: values by their declarations, `{ 'float limit': 0.5, 'const int *group': g }`. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /** C that comes before the kernel. */
  readonly preamble?: string | undefined;
  /** Structs by their names in C. */
  readonly types?: StructTypes | undefined;
}

const OPTIONS = ['extra', 'preamble', 'types', 'stream', 'queue'];

/** A compaction by an expression: what is done with the elements, beside the expression. */
export interface ConditionWork {
  /** The function, for names and errors. */
  readonly what: string;
  readonly expression: string;
  /** Whether an element is taken, of the expression, in a function that has the user's names and `i`. */
  readonly holds: (expression: string) => string;
  /** Whether the expression is one of two neighbours, `a` before `b`; then `holds` calls it for them as `same()`. */
  readonly isOfPairs?: boolean;
  readonly outputs: readonly Parameter[];
  readonly value: boolean;
  readonly write: CompactText['write'];
  readonly writeOther?: CompactText['writeOther'];
}

/** What a call has to do. */
export interface ConditionCall<D extends ArrayDType> {
  readonly outputs: readonly NDArray<D>[];
  readonly count: NDArray<'u32'> | NDArray<'u64'>;
}

const compactions = new Map<string, { readonly compaction: Compaction; readonly parameters: KernelArguments }>();

/**
 * Go through an array of one axis by an expression, into new arrays of its length.
 *
 * @throws TypeError no array, an array of half floats, or values that their declarations do not take
 * @throws RangeError an array of more axes
 */
export function runCondition<D extends ArrayDType>(
  work: ConditionWork,
  x: NDArray<D>,
  options: ConditionOptions = {},
): ConditionCall<D> {
  const { what, outputs } = work;
  checkArray(x, what);
  x.use(what);
  checkOptions(options, OPTIONS, what);
  checkText(work.expression, `${what}: the expression`);
  if (x.ndim !== 1) {
    throw new RangeError(`${what} must be given an array of one axis, got shape ${shapeText(x.shape)}; write ravel()`);
  }
  const { compaction, parameters } = compactionOf(work, x.dtype, options);
  const values = [x, ...Object.values(options.extra ?? {})];
  if (!x.isFlat) {
    throw new RangeError(
      `${what} must be given an array whose elements follow each other, got strides [${x.strides.join(', ')}]; write contiguous()`,
    );
  }
  const bound = parameters.bind(values, { options: lanesOf(options), anyLength: true });
  const { engine, lane, memories, scalars } = bound;
  const count = parameters.memories.length;
  const reach = x.size;
  const data: CompactData = {
    n: x.size,
    inputs: memories.slice(parameters.written, count),
    numbers: [...memories.slice(count), ...scalars],
    reach,
  };
  const made: NDArray[] = [];
  const make = <E extends ArrayDType>(shape: number[], dtype: E): NDArray<E> => {
    const array = empty(engine, shape, dtype, lane);
    made.push(array);
    return array;
  };
  try {
    const results = outputs.map(() => make([x.size], x.dtype));
    const taken = make([], countOf({ reach }));
    const written = [
      ...results.map((array) => memoryOf(array as unknown as NDArray)),
      ...memories.slice(0, parameters.written),
    ];
    compaction.run(engine, lane, written, taken, data);
    return { outputs: results, count: taken as NDArray<'u32'> };
  } catch (error) {
    for (const array of made) array.close();
    throw error;
  }
}

function compactionOf(
  work: ConditionWork,
  dtype: ArrayDType,
  { extra = {}, preamble = '', types }: ConditionOptions,
): { readonly compaction: Compaction; readonly parameters: KernelArguments } {
  const { what, outputs, value } = work;
  if (typeof extra !== 'object' || (extra as unknown) === null) {
    throw new TypeError(`${what}: extra must be an object of values by their declarations, got ${nameOf(extra)}`);
  }
  if (dtype === 'f16' || dtype === 'bf16') {
    throw new TypeError(`${what}: the dtype must be one that kernels compute in, got ${dtype}; write astype('f32')`);
  }
  const declared = Object.keys(extra);
  const key = [what, dtype, work.expression, preamble, ...declared].join('\n');
  const known = types === undefined ? compactions.get(key) : undefined;
  if (known !== undefined) return known;
  const expression = expressionText(work.expression, `${what}: the expression`);
  const parameters = new KernelArguments([`const ${storageType(dtype)} *ary`, ...declared], what, {
    types,
    reserved: ['i', 'a', 'b'],
  });
  const name = what.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const compaction = new Compaction((language): CompactText => {
    const formals = parameters.formals(language);
    const user = userText(language, { preamble, types }, [formals, expression]);
    const type = parameters.list[0]?.element[language] ?? '';
    const names = parameters.list.map((argument) => argument.name).join(', ');
    const functions = `FN bool ${name}_same(const ${type} a, const ${type} b, ${formals}) {\n  return ${expression};\n}\n`;
    const holds = work.holds(expression).replace('same()', `${name}_same(ary[i - 1], ary[i], ${names})`);
    return {
      name,
      head: user.head,
      preamble: `${user.preamble}${work.isOfPairs === true ? functions : ''}FN bool ${name}_holds(const i64 i, ${formals}) {\n  return ${holds};\n}\n`,
      memories: [...outputs.map((output) => ({ ...output, dtype })), ...parameters.memories],
      numbers: [...parameters.offsets, ...parameters.scalars],
      holds: (i) => `${name}_holds(${i}, ${parameters.actuals(language)})`,
      ...(value ? { value: [storageType(dtype), (i: string) => `ary_memory[ary_at + ${i}]`] as const } : {}),
      write: work.write,
      ...(work.writeOther === undefined ? {} : { writeOther: work.writeOther }),
    };
  });
  const made = { compaction, parameters };
  if (types === undefined) compactions.set(key, made);
  return made;
}
