import {
  arithmeticType,
  F32,
  F64,
  I32,
  isFloat,
  isInteger,
  promoted,
  settled,
  WEAK_FLOAT,
  type ScalarType,
} from '../kernel-type.ts';
import type { Expression, Operation } from '../tree.ts';
import { condition, constantOf, convert, inOneType, integer, numeric } from '../read/convert.ts';
import { binary, truncatedQuotient, unary, unknown, wrapping } from '../read/operator.ts';
import { ABS, FLOOR_QUOTIENT } from './arithmetic.ts';
import { callOf, hasUnknown, helped, named, type Builtin, type BuiltinCall, type BuiltinTable } from './operation.ts';

/** Functions of one float, which C has by the same name. */
const OF_FLOATS = [
  'sqrt', 'cbrt', 'exp', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan',
  'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh',
] as const; // prettier-ignore

/** What a function of floats computes in: an integer becomes a number of JavaScript. */
function floatType(type: ScalarType): ScalarType {
  return isFloat(type) && type.weak !== true ? type : F64;
}

function ofFloat(name: (typeof OF_FLOATS)[number]): Builtin {
  const operation = named(name, `Math.${name}`);
  return {
    usage: `Math.${name}(x)`,
    arity: [1, 1],
    read: (call) => {
      const [x] = call.args as [Expression];
      if (hasUnknown(call)) return unknown(call.span);
      const type = numeric(x, call.reading.fail);
      if (x.kind === 'constant' && type.weak === true) return constantOf(Math[name](Number(x.value)), call.span);
      const whole = floatType(type);
      return callOf(operation, [convert(x, whole, call.reading.fail)], whole, call.span);
    },
  };
}

/** Integers stay as they are. */
function rounding(name: 'floor' | 'ceil' | 'trunc' | 'round', operation: Operation): Builtin {
  return {
    usage: `Math.${name}(x)`,
    arity: [1, 1],
    read: (call) => {
      const { reading, span } = call;
      const [x] = call.args as [Expression];
      if (hasUnknown(call)) return unknown(span);
      const type = numeric(x, reading.fail);
      if (x.kind === 'constant' && type.weak === true) return constantOf(Math[name](Number(x.value)), span);
      if (name === 'floor' || name === 'trunc') {
        const quotient = integerQuotient(x, name, call);
        if (quotient) return quotient;
      }
      if (isInteger(type)) return x;
      return callOf(operation, [convert(x, settled(type), reading.fail)], settled(type), span);
    },
  };
}

/** `Math.floor(a / b)` and `Math.trunc(a / b)` of integers. */
function integerQuotient(
  x: Expression,
  name: 'floor' | 'trunc',
  { reading, span }: BuiltinCall,
): Expression | undefined {
  const quotient = truncatedQuotient(x, reading.fail);
  if (quotient === undefined || name === 'trunc') return quotient;
  const { left, right } = quotient as Extract<Expression, { kind: 'binary' }>;
  const isUnsigned = (quotient.type as ScalarType).name.startsWith('u');
  if (isUnsigned || (isNatural(left) && isNatural(right))) return quotient;
  return callOf(FLOOR_QUOTIENT, [left, right], quotient.type, span);
}

/** Whether a value cannot be negative: places and sizes of threads, lengths, constants. */
export function isNatural(value: Expression): boolean {
  switch (value.kind) {
    case 'constant':
      return Number(value.value) >= 0;
    case 'extent':
      return true;
    case 'call':
      return PLACES.test(value.operation.name);
    case 'variable':
      return !value.variable.isAssigned && value.variable.isNatural === true;
    case 'binary':
      return (value.operator === '+' || value.operator === '*') && isNatural(value.left) && isNatural(value.right);
    default:
      return false;
  }
}

/** Operations that say where a thread is. */
const PLACES = /^(?:grid|gridsize|warpsize|laneid|(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz])$/;

/** The least or largest of its arguments: NaN where one is NaN, as in JavaScript. */
function extreme(name: 'max' | 'min'): Builtin {
  const ofFloats = helped(`js_${name}`, `Math.${name}`);
  const ofIntegers: Operation = {
    name,
    cuda: (args) => `${name}(${args.join(', ')})`,
    opencl: (args) => `${name}(${args.join(', ')})`,
    js: ([a, b]) => `$m.${name}(${a}, ${b})`,
  };
  return {
    usage: `Math.${name}(a, b, …)`,
    arity: [1, 16],
    read: (call) => {
      const { reading, span } = call;
      if (hasUnknown(call)) return unknown(span);
      return call.args.reduce((a, b) => {
        const same = inOneType(a, b, arithmeticType, reading.fail);
        const type = settled(same.type);
        const args = [convert(same.left, type, reading.fail), convert(same.right, type, reading.fail)];
        return callOf(isFloat(type) ? ofFloats : ofIntegers, args, type, span);
      });
    },
  };
}

function abs(call: BuiltinCall): Expression {
  const { reading, span } = call;
  const [x] = call.args as [Expression];
  if (hasUnknown(call)) return unknown(span);
  const type = numeric(x, reading.fail);
  const whole = settled(promoted(type.name === 'bool' ? I32 : type));
  if (whole.name === 'u32' || whole.name === 'u64') return x;
  return callOf(ABS, [convert(x, whole, reading.fail)], whole, span);
}

function inFloats(usage: string, operation: Operation, count: number): Builtin {
  return {
    usage,
    arity: [count, count],
    read: (call) => {
      const { reading, span } = call;
      if (hasUnknown(call)) return unknown(span);
      const type = call.args
        .map((arg) => floatOrWeak(numeric(arg, reading.fail)))
        .reduce((a, b) => arithmeticType(a, b));
      const whole = floatType(type);
      return callOf(
        operation,
        call.args.map((arg) => convert(arg, whole, reading.fail)),
        whole,
        span,
      );
    },
  };
}

/** Integer constants go along with floats of any width; other integers are numbers of JavaScript. */
function floatOrWeak(type: ScalarType): ScalarType {
  if (isFloat(type)) return type;
  return type.weak === true ? WEAK_FLOAT : F64;
}

const IMUL: Operation = {
  name: 'imul',
  cuda: ([a, b]) => `(int)((unsigned int)${a} * (unsigned int)${b})`,
  opencl: ([a, b]) => `(int)((uint)${a} * (uint)${b})`,
  js: ([a, b]) => `Math.imul(${a}, ${b})`,
};

const CLZ: Operation = {
  name: 'clz32',
  cuda: ([x]) => `__clz(${x})`,
  opencl: ([x]) => `(int)clz(${x})`,
  js: ([x]) => `Math.clz32(${x})`,
};

const SIGN = helped('js_sign', 'Math.sign');
const ROUND = { ...helped('js_round', 'Math.round'), name: 'round' };

/** Of 32-bit integers. */
function ofIntegers(usage: string, operation: Operation, count: number): Builtin {
  return {
    usage,
    arity: [count, count],
    read: (call) => {
      const { reading, span } = call;
      if (hasUnknown(call)) return unknown(span);
      const args = call.args.map((arg) => convert(integer(wrapping(arg), call.path, reading.fail), I32, reading.fail));
      return callOf(operation, args, I32, span);
    },
  };
}

function fround(call: BuiltinCall): Expression {
  const [x] = call.args as [Expression];
  if (hasUnknown(call)) return unknown(call.span);
  numeric(x, call.reading.fail);
  return convert(x, F32, call.reading.fail);
}

function test(name: 'isNaN' | 'isFinite'): Builtin {
  const c = name === 'isNaN' ? 'isnan' : 'isfinite';
  const operation: Operation = {
    name,
    cuda: ([x]) => `${c}(${x})`,
    opencl: ([x]) => `${c}(${x})`,
    js: ([x]) => `Number.${name}(${x})`,
  };
  return {
    usage: `Number.${name}(x)`,
    arity: [1, 1],
    read: (call) => {
      const [x] = call.args as [Expression];
      if (hasUnknown(call)) return unknown(call.span);
      const type = numeric(x, call.reading.fail);
      if (isInteger(type)) return constantOf(name === 'isFinite', call.span);
      return callOf(
        operation,
        [convert(x, floatType(type), call.reading.fail)],
        { kind: 'scalar', name: 'bool' },
        call.span,
      );
    },
  };
}

function constant(usage: string, value: number): Builtin {
  return {
    usage,
    read: ({ span }) => ({ ...constantOf(value, span), ...(Number.isFinite(value) ? {} : { type: WEAK_FLOAT }) }),
  };
}

function toNumber(call: BuiltinCall): Expression {
  const [x] = call.args as [Expression];
  return unary('+', x, call.span, call.reading.fail);
}

function toTruth(call: BuiltinCall): Expression {
  return condition(call.args[0] as Expression, call.reading.fail);
}

/** Not there, with what to write. */
function refused(usage: string, reason: string): Builtin {
  return { usage, arity: [0, 16], read: ({ reading, span }) => reading.fail(span, reason) };
}

/** `x ** y`, which compilers write so for old targets. */
const power: Builtin = {
  usage: 'Math.pow(x, y)',
  arity: [2, 2],
  read: ({ reading, args, span }) => binary('**', ...(args as [Expression, Expression]), span, reading.fail),
};

/** What JavaScript itself has: `Math`, `Number`. */
export const mathBuiltins: BuiltinTable = {
  ...Object.fromEntries(OF_FLOATS.map((name) => [`Math.${name}`, ofFloat(name)])),
  'Math.floor': rounding('floor', named('floor', 'Math.floor')),
  'Math.ceil': rounding('ceil', named('ceil', 'Math.ceil')),
  'Math.trunc': rounding('trunc', named('trunc', 'Math.trunc')),
  'Math.round': rounding('round', ROUND),
  'Math.max': extreme('max'),
  'Math.min': extreme('min'),
  'Math.abs': { usage: 'Math.abs(x)', arity: [1, 1], read: abs },
  'Math.sign': inFloats('Math.sign(x)', SIGN, 1),
  'Math.pow': power,
  // What esbuild writes for ** where its target has none.
  __pow: power,
  'Math.atan2': inFloats('Math.atan2(y, x)', named('atan2', 'Math.atan2'), 2),
  'Math.hypot': inFloats('Math.hypot(x, y)', named('hypot', 'Math.hypot'), 2),
  'Math.fround': { usage: 'Math.fround(x)', arity: [1, 1], read: fround },
  'Math.imul': ofIntegers('Math.imul(a, b)', IMUL, 2),
  'Math.clz32': ofIntegers('Math.clz32(x)', CLZ, 1),
  'Math.random': refused(
    'Math.random()',
    'a kernel has no Math.random: write cuda.random.xoroshiro128pUniformFloat32(states, i), or pass an array of random.uniform of rawkernel/cuda/array',
  ),
  ...Object.fromEntries(
    (['PI', 'E', 'LN2', 'LN10', 'LOG2E', 'LOG10E', 'SQRT2', 'SQRT1_2'] as const).map((name) => [
      `Math.${name}`,
      constant(`Math.${name}`, Math[name]),
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        'MAX_VALUE',
        'MIN_VALUE',
        'EPSILON',
        'MAX_SAFE_INTEGER',
        'POSITIVE_INFINITY',
        'NEGATIVE_INFINITY',
        'NaN',
      ] as const
    ).map((name) => [`Number.${name}`, constant(`Number.${name}`, Number[name])]),
  ),
  Number: { usage: 'Number(x)', arity: [1, 1], read: toNumber },
  Boolean: { usage: 'Boolean(x)', arity: [1, 1], read: toTruth },
  'Number.isNaN': test('isNaN'),
  'Number.isFinite': test('isFinite'),
  isNaN: test('isNaN'),
  isFinite: test('isFinite'),
  Infinity: constant('Infinity', Infinity),
  NaN: constant('NaN', NaN),
};
