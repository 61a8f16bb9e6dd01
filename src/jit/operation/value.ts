import {
  arithmeticType,
  BOOL,
  F64,
  isFloat,
  isWide,
  scalar,
  settled,
  typeText,
  type ScalarName,
  type StructType,
} from '../kernel-type.ts';
import type { Expression, Operation } from '../tree.ts';
import { spanOf } from '../read/reading.ts';
import { wideBits } from '../read/bits.ts';
import { condition, convert, numeric } from '../read/convert.ts';
import { conditional, unknown, wrapping } from '../read/operator.ts';
import { callOf, hasUnknown, named, typed, type Builtin, type BuiltinCall, type BuiltinTable } from './operation.ts';

/** NumPy's names of the scalar types. */
export const NUMPY_NAMES: Readonly<Record<string, ScalarName>> = {
  int8: 'i8',
  uint8: 'u8',
  int16: 'i16',
  uint16: 'u16',
  int32: 'i32',
  uint32: 'u32',
  int64: 'i64',
  uint64: 'u64',
  float32: 'f32',
  float64: 'f64',
  boolean: 'bool',
};

/** `cuda.float32(x)`: the value in that type. */
function cast(numpy: string, name: ScalarName): Builtin {
  return {
    usage: `cuda.${numpy}(x)`,
    arity: [1, 1],
    read: (call) => {
      const [x] = call.args as [Expression];
      if (hasUnknown(call)) return unknown(call.span);
      numeric(x, call.reading.fail);
      if (name === 'bool') return condition(x, call.reading.fail);
      const type = scalar(name);
      const value = isWide(type) ? wideBits(x, type, call.reading.fail) : wrapping(x);
      const made = convert(value, type, call.reading.fail);
      if (made.kind === 'conversion' && made !== value) return { ...made, ...spanOf(call.span) };
      // A constant of this type, and no longer one that takes any.
      return { ...made };
    },
  };
}

const VECTORS: Readonly<Record<string, readonly [c: string, element: ScalarName]>> = {
  float32x: ['float', 'f32'],
  float64x: ['double', 'f64'],
  int32x: ['int', 'i32'],
  uint32x: ['uint', 'u32'],
};

function vector(c: string, element: ScalarName, size: number): StructType {
  const names = ['x', 'y', 'z', 'w'].slice(0, size);
  return { kind: 'struct', vector: `${c}${size}`, fields: names.map((name) => [name, scalar(element)] as const) };
}

function makeVector(usage: string, type: StructType): Builtin {
  const size = type.fields.length;
  return {
    usage,
    arity: [size, size],
    read: (call) => {
      if (hasUnknown(call)) return unknown(call.span);
      const items = call.args.map((arg, i) => {
        numeric(arg, call.reading.fail);
        return convert(arg, type.fields[i]?.[1] ?? BOOL, call.reading.fail);
      });
      return { kind: 'aggregate', type, items, start: call.span.start, end: call.span.end };
    },
  };
}

function vectors(): BuiltinTable {
  const rows = Object.entries(VECTORS).flatMap(([name, [c, element]]) =>
    [2, 3, 4].map((size): [string, Builtin] => {
      const names = ['x', 'y', 'z', 'w'].slice(0, size).join(', ');
      return [`${name}${size}`, makeVector(`cuda.${name}${size}(${names})`, vector(c, element, size))];
    }),
  );
  return Object.fromEntries(rows);
}

const FMA: Operation = named('fma', '', { js: typed('$m.fma') });
const RSQRT: Operation = {
  name: 'rsqrt',
  cuda: ([x], type) => `rsqrt${type.kind === 'scalar' && type.name === 'f32' ? 'f' : ''}(${x})`,
  opencl: ([x]) => `rsqrt(${x})`,
  js: ([x]) => `(1 / Math.sqrt(${x}))`,
};

function ofFloats(usage: string, operation: Operation, count: number): Builtin {
  return {
    usage,
    arity: [count, count],
    read: (call) => {
      if (hasUnknown(call)) return unknown(call.span);
      const { fail } = call.reading;
      const found = call.args.map((arg) => numeric(arg, fail)).reduce((a, b) => arithmeticType(a, b));
      const type = isFloat(found) ? settled(found) : F64;
      return callOf(
        operation,
        call.args.map((arg) => convert(arg, type, fail)),
        type,
        call.span,
      );
    },
  };
}

function select(call: BuiltinCall): Expression {
  const [test, a, b] = call.args as [Expression, Expression, Expression];
  return conditional(test, a, b, call.span, call.reading.fail);
}

/** An array whose values are the constants' is one already. */
function arrayLike(call: BuiltinCall): Expression {
  const [array] = call.args as [Expression];
  if (array.type.kind === 'array' && array.type.space === 'constant') return array;
  return call.reading.fail(
    call.span,
    `cuda.const.array_like must be given an array of { const: … }, got ${typeText(array.type)}`,
  );
}

/** Conversions, vectors and functions of values. */
export const valueBuiltins: BuiltinTable = {
  ...Object.fromEntries(Object.entries(NUMPY_NAMES).map(([numpy, name]) => [numpy, cast(numpy, name)])),
  ...vectors(),
  fma: ofFloats('cuda.fma(a, b, c)', FMA, 3),
  cbrt: ofFloats('cuda.cbrt(x)', named('cbrt', 'Math.cbrt'), 1),
  rsqrt: ofFloats('cuda.rsqrt(x)', RSQRT, 1),
  selp: { usage: 'cuda.selp(test, a, b)', arity: [3, 3], read: select },
  'const.array_like': { usage: 'cuda.const.array_like(array)', arity: [1, 1], read: arrayLike },
};
