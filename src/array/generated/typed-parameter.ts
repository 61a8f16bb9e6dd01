import { nameOf } from '../../core/check.ts';
import { splitTokens } from '../../core/c-declarator.ts';
import { joinTokens, tokenize, type Token } from '../../core/c-token.ts';
import { scalarCode } from '../apply.ts';
import {
  arrayDTypes,
  dtypeOfScalar,
  isWeakScalar,
  promote,
  readDType,
  type ArrayDType,
  type WeakScalar,
} from '../dtype.ts';
import { NDArray } from '../ndarray.ts';
import { checkName } from './kernel-argument.ts';

/** A parameter in CuPy's form: `T x`, `raw T y`, `int32 k`. */
export interface TypedParameter {
  readonly name: string;
  /** A dtype, or a letter that stands for one. */
  readonly dtype: ArrayDType | undefined;
  readonly variable: string | undefined;
  /** Whether the text indexes the array itself. */
  readonly isRaw: boolean;
}

/** The dtypes that letters stand for. */
export type TypeVariables = ReadonlyMap<string, ArrayDType>;

/**
 * Read a list of parameters in CuPy's form.
 *
 * @param names - of the parameters that are known already; those of the list are added
 * @throws TypeError not such a list; the message names the parameter
 */
export function parseTyped(given: unknown, what: string, names: Set<string>): TypedParameter[] {
  const texts = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) {
    throw new TypeError(`${what} must be a text such as 'T x, raw T y, int32 k', got ${nameOf(given)}`);
  }
  return texts
    .flatMap((text) => splitTokens(tokenize(text)))
    .map((tokens) => {
      const parameter = parseOne(tokens, what);
      const { name } = parameter;
      checkName(name, joinTokens(tokens), what, ['i']);
      if (names.has(name))
        throw new TypeError(`${what}: each parameter must have a name of its own, got '${name}' twice`);
      names.add(name);
      return parameter;
    });
}

function parseOne(tokens: readonly Token[], what: string): TypedParameter {
  const words = tokens.map(({ text }) => text);
  const isRaw = words[0] === 'raw';
  const [type, name, ...more] = isRaw ? words.slice(1) : words;
  if (type === undefined || name === undefined || more.length > 0 || !/^[A-Za-z_]\w*$/.test(name)) {
    throw new TypeError(
      `${what} must have parameters such as 'T x' or 'raw float32 y', got '${joinTokens(tokens)}'; a pointer is written raw`,
    );
  }
  if (/^[A-Z]$/.test(type)) return { name, dtype: undefined, variable: type, isRaw };
  const meant = { float: "float32, C's float, or float64, NumPy's", int: "int32, C's int, or int64, NumPy's" }[type];
  if (meant !== undefined) throw new TypeError(`${what}: parameter '${name}' must be ${meant}, got ${type}`);
  return {
    name,
    dtype: readDType(type, `${what}: the type of parameter '${name}' must be a letter, or`),
    variable: undefined,
    isRaw,
  };
}

/** What a value is to {@link resolveTypes}: equal texts give equal dtypes. */
export function typeKey(value: unknown): string {
  return value instanceof NDArray
    ? (value as NDArray).dtype
    : value === undefined
      ? '-'
      : String(scalarCode(value as WeakScalar));
}

/**
 * The dtypes that letters stand for in a call: those of the arrays; of numbers, where no array has it.
 *
 * @param values - of the parameters; undefined for a result that is made
 * @throws TypeError arrays of two dtypes for one letter, of another dtype than a parameter's, or a letter without a value
 */
export function resolveTypes(
  parameters: readonly TypedParameter[],
  values: readonly unknown[],
  what: string,
): TypeVariables {
  const found = new Map<string, { readonly dtype: ArrayDType; readonly of: string }>();
  parameters.forEach(({ name, dtype, variable }, i) => {
    const value = values[i] as NDArray | undefined;
    if (!(value instanceof NDArray)) return;
    if (dtype !== undefined && value.dtype !== dtype) {
      throw new TypeError(
        `${what}: ${name} must be an NDArray of ${dtype}, got ${value.dtype}; write astype('${dtype}')`,
      );
    }
    if (variable === undefined) return;
    const known = found.get(variable);
    if (known === undefined) found.set(variable, { dtype: value.dtype, of: name });
    else if (known.dtype !== value.dtype) {
      throw new TypeError(
        `${what}: ${variable} must be one dtype, got ${known.dtype} of ${known.of} and ${value.dtype} of ${name}; write astype() or another letter`,
      );
    }
  });
  const types = new Map(Array.from(found, ([variable, { dtype }]) => [variable, dtype]));
  parameters.forEach(({ variable }, i) => {
    const value = values[i];
    if (variable === undefined || found.has(variable) || !isWeakScalar(value)) return;
    const known = types.get(variable);
    const own = dtypeOfScalar(value);
    types.set(variable, known === undefined ? own : promote(known, own));
  });
  for (const { name, variable } of parameters) {
    if (variable === undefined || types.has(variable)) continue;
    throw new TypeError(
      `${what}: the dtype ${variable} of ${name} must follow from an operand, got none with it; write { out }`,
    );
  }
  return types;
}

/** The dtype of a parameter in a call. */
export function typeOf({ dtype, variable }: TypedParameter, types: TypeVariables): ArrayDType {
  return dtype ?? types.get(variable ?? '') ?? 'f32';
}

/** Refuse a number that a parameter of a dtype cannot be. */
export function checkScalar({ name }: TypedParameter, dtype: ArrayDType, value: unknown, what: string): void {
  if (!isWeakScalar(value))
    throw new TypeError(`${what}: ${name} must be an NDArray or a number, got ${nameOf(value)}`);
  const { kind } = arrayDTypes[dtype];
  if ((kind !== 'int' && kind !== 'uint') || typeof value !== 'number' || Number.isInteger(value)) return;
  throw new TypeError(
    `${what}: ${name} must be an integer, since it is of ${dtype}, got ${value}; write astype() for floats`,
  );
}
