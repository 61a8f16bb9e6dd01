import { BOOL, I32, I64, settled, SCALARS, U32, U64, type ScalarType } from '../kernel-type.ts';
import type { Expression, Operation } from '../tree.ts';
import { condition, convert, integer, numeric } from '../read/convert.ts';
import { unknown } from '../read/operator.ts';
import { asking, callOf, hasUnknown, type Builtin, type BuiltinCall, type BuiltinTable } from './operation.ts';

/** Lanes of the mask, as CUDA takes them. */
function maskOf(expression: Expression, { reading }: BuiltinCall): Expression {
  return convert(integer(expression, 'a mask', reading.fail), U32, reading.fail);
}

/** `shfl_sync(mask, value, lane)`: a value of another lane. */
function shuffle(name: string, third: string): Builtin {
  const operation: Operation = {
    name,
    effect: 'barrier',
    cuda: (args) => `__${name}(${args.join(', ')})`,
    isChecked: true,
    js: asking(name),
  };
  return {
    usage: `cuda.${name}(mask, value, ${third})`,
    arity: [3, 3],
    read: (call) => {
      const { reading, span } = call;
      const [mask, value, lane] = call.args as [Expression, Expression, Expression];
      if (hasUnknown(call)) return unknown(span);
      const type = numeric(value, reading.fail);
      const whole = settled(SCALARS[type.name].bits < 32 ? I32 : type);
      const args = [
        maskOf(mask, call),
        convert(value, whole, reading.fail),
        convert(integer(lane, `the ${third} of cuda.${name}`, reading.fail), I32, reading.fail),
      ];
      return callOf(operation, args, whole, span);
    },
  };
}

/** `ballot_sync(mask, predicate)` and its like. */
function vote(name: string, cuda: string, result: ScalarType): Builtin {
  const operation: Operation = {
    name,
    effect: 'barrier',
    cuda: ([mask, test]) => `${cuda}(${mask}, ${test})${result === BOOL ? ' != 0' : ''}`,
    isChecked: true,
    js: asking(name),
  };
  return {
    usage: `cuda.${name}(mask, predicate)`,
    arity: [2, 2],
    read: (call) => {
      const [mask, test] = call.args as [Expression, Expression];
      if (hasUnknown(call)) return unknown(call.span);
      const args = [maskOf(mask, call), condition(test, call.reading.fail)];
      return callOf(operation, args, result, call.span);
    },
  };
}

const MATCH_ANY: Operation = {
  name: 'match_any_sync',
  effect: 'barrier',
  cuda: (args) => `__match_any_sync(${args.join(', ')})`,
  isChecked: true,
  js: asking('match_any_sync'),
};

function matchAny(call: BuiltinCall): Expression {
  const [mask, value] = call.args as [Expression, Expression];
  if (hasUnknown(call)) return unknown(call.span);
  const type = settled(numeric(value, call.reading.fail));
  return callOf(MATCH_ANY, [maskOf(mask, call), convert(value, type, call.reading.fail)], U32, call.span);
}

function simple(name: string, text: string, result: ScalarType): Builtin {
  const operation: Operation = { name, effect: 'barrier', cuda: () => text, js: asking(name), isChecked: true };
  return { usage: `cuda.${name}()`, arity: [0, 0], read: ({ span }) => callOf(operation, [], result, span) };
}

const SYNCWARP: Operation = {
  name: 'syncwarp',
  effect: 'barrier',
  cuda: (args) => `__syncwarp(${args.join(', ')})`,
  isChecked: true,
  js: asking('syncwarp'),
};

/** Integer functions of bits: `popc`, `clz`. */
function ofBits(name: string, cuda: string, opencl: string | undefined, keepsType: boolean): Builtin {
  const operation: Operation = {
    name,
    cuda: ([x], _, [type]) => `${cuda}${SCALARS[(type as ScalarType).name].bits === 64 ? 'll' : ''}(${x})`,
    ...(opencl === undefined
      ? {}
      : { opencl: ([x]: readonly string[]) => (keepsType ? `${opencl}(${x})` : `(int)${opencl}(${x})`) }),
    js: ([x], _, [type]) => `$m.${name}(${x}, ${SCALARS[(type as ScalarType).name].bits})`,
  };
  return {
    usage: `cuda.${name}(x)`,
    arity: [1, 1],
    read: (call) => {
      const [x] = call.args as [Expression];
      if (hasUnknown(call)) return unknown(call.span);
      const value = integer(x, `the argument of cuda.${name}`, call.reading.fail);
      const type = settled(value.type as ScalarType);
      const isWide = SCALARS[type.name].bits === 64;
      const unsigned = isWide ? U64 : U32;
      const taken = keepsType ? unsigned : name === 'popc' ? unsigned : isWide ? I64 : I32;
      return callOf(operation, [convert(value, taken, call.reading.fail)], keepsType ? unsigned : I32, call.span);
    },
  };
}

/** The threads of a warp together. */
export const warpBuiltins: BuiltinTable = {
  shfl_sync: shuffle('shfl_sync', 'lane'),
  shfl_up_sync: shuffle('shfl_up_sync', 'delta'),
  shfl_down_sync: shuffle('shfl_down_sync', 'delta'),
  shfl_xor_sync: shuffle('shfl_xor_sync', 'lane mask'),
  all_sync: vote('all_sync', '__all_sync', BOOL),
  any_sync: vote('any_sync', '__any_sync', BOOL),
  ballot_sync: vote('ballot_sync', '__ballot_sync', U32),
  match_any_sync: { usage: 'cuda.match_any_sync(mask, value)', arity: [2, 2], read: matchAny },
  activemask: simple('activemask', '__activemask()', U32),
  lanemask_lt: {
    usage: 'cuda.lanemask_lt()',
    arity: [0, 0],
    read: ({ span }) =>
      callOf(
        {
          name: 'lanemask_lt',
          cuda: () =>
            '((1u << (((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % warpSize)) - 1u)',
          js: () => '(((1 << $.laneid) - 1) >>> 0)',
        },
        [],
        U32,
        span,
      ),
  },
  syncwarp: {
    usage: 'cuda.syncwarp(mask)',
    arity: [0, 1],
    read: (call) => {
      const args = call.args.map((mask) => maskOf(mask, call));
      return callOf(SYNCWARP, args, { kind: 'void' }, call.span);
    },
  },
  popc: ofBits('popc', '__popc', 'popcount', false),
  clz: ofBits('clz', '__clz', 'clz', false),
  ffs: ofBits('ffs', '__ffs', undefined, false),
  brev: ofBits('brev', '__brev', undefined, true),
};
