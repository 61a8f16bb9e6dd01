import { isFloat, settled, typeText, type ScalarType } from '../kernel-type.ts';
import type { Address, Expression, FieldUse, Operation, OperationText } from '../tree.ts';
import { asIndex, convert } from '../read/convert.ts';
import { unknown } from '../read/operator.ts';
import { elementOf, markWritten } from '../read/element.ts';
import { callOf, hasUnknown, typed, type Builtin, type BuiltinCall, type BuiltinTable } from './operation.ts';

/** The types that an atomic operation takes. */
const INTEGERS: readonly string[] = ['i32', 'u32', 'i64', 'u64'];
const NUMBERS: readonly string[] = [...INTEGERS, 'f32', 'f64'];

interface Row {
  /** The function of CUDA. */
  readonly cuda: string;
  readonly types: readonly string[];
}

const ROWS: Readonly<Record<string, Row>> = {
  add: { cuda: 'atomicAdd', types: NUMBERS },
  sub: { cuda: 'atomicSub', types: NUMBERS },
  max: { cuda: 'atomicMax', types: NUMBERS },
  min: { cuda: 'atomicMin', types: NUMBERS },
  nanmax: { cuda: 'atomicMax', types: NUMBERS },
  nanmin: { cuda: 'atomicMin', types: NUMBERS },
  and_: { cuda: 'atomicAnd', types: INTEGERS },
  or_: { cuda: 'atomicOr', types: INTEGERS },
  xor: { cuda: 'atomicXor', types: INTEGERS },
  exch: { cuda: 'atomicExch', types: NUMBERS },
  inc: { cuda: 'atomicInc', types: ['u32'] },
  dec: { cuda: 'atomicDec', types: ['u32'] },
};

/** The functions that CUDA has of its own for a type; the others are loops that compare and swap. */
function isNative(name: string, type: string): boolean {
  if (name === 'add' || name === 'exch') return type !== 'f64' || name === 'add';
  return !type.startsWith('f');
}

function operationOf(name: string, { cuda }: Row): Operation {
  const ours =
    (space: string): OperationText =>
    (args, type) =>
      `atomic_${name}_${(type as ScalarType).name}${space}(${args.join(', ')})`;
  return {
    name: `atomic.${name}`,
    effect: 'memory',
    cuda: (args, type, types) => {
      const t = (type as ScalarType).name;
      if (name === 'sub' && !t.startsWith('f'))
        return `atomicAdd(${sumArguments([args[0] ?? '', `0 - ${args[1] ?? ''}`], t)})`;
      if (!isNative(name, t)) return ours('')(args, type, types);
      if (name === 'add' || name === 'exch') return signed(`${cuda}(${sumArguments(args, t)})`, t);
      return `${cuda}(${args.join(', ')})`;
    },
    opencl: (args, type, types) => ours('_SPACE')(args, type, types),
    js: typed(`$m.atomic.${name}`),
  };
}

/** Sums and exchanges of 64 bits are functions of unsigned numbers alone. */
function sumArguments([address = '', value = '']: readonly string[], type: string): string {
  return type === 'i64' ? `(unsigned long long *)${address}, (unsigned long long)(${value})` : `${address}, ${value}`;
}

function signed(call: string, type: string): string {
  return type === 'i64' ? `(long long)${call}` : call;
}

/** The element that an atomic operation changes: an array and an index, or a list of indices. */
function address(call: BuiltinCall): Address {
  const { reading, args, path } = call;
  const [array, index] = args as [Expression, Expression];
  if (array.kind === 'field' && index.kind === 'field' && index.object === array.object)
    return fieldAddress(call, array);
  if (array.type.kind !== 'array')
    return reading.fail(array, `the first argument of ${path} must be an array, got ${typeText(array.type)}`);
  const indices = index.kind === 'aggregate' && index.type.kind === 'tuple' ? index.items : [index];
  if (indices.length !== array.type.rank) {
    return reading.fail(
      index,
      `${path} must be given an index for each of the ${array.type.rank} axes, got ${indices.length}; write [y, x] for two`,
    );
  }
  const element = elementOf(
    array,
    indices.map((one) => asIndex(one, reading.fail)),
    index,
  );
  markWritten(array);
  return { kind: 'address', element, type: element.type, start: array.start, end: index.end };
}

/** A field of an element, which is where the array is; a struct that has a name of its own is a copy. */
function fieldAddress({ reading, path }: BuiltinCall, field: FieldUse): Address {
  let owner: Expression = field;
  while (owner.kind === 'field') owner = owner.object;
  if (owner.kind !== 'element')
    return reading.fail(
      field.object,
      `the first argument of ${path} must be an element of an array of structs, not a copy of one: write ${path}(a[i], '${field.name}', …)`,
    );
  markWritten(owner.array);
  return { kind: 'address', element: field, type: field.type, start: field.start, end: field.end };
}

function atomic(name: string, row: Row): Builtin {
  const operation = operationOf(name, row);
  return {
    usage: `cuda.atomic.${name}(array, index, value)`,
    arity: [3, 3],
    read: (call) => {
      const { reading, args, span } = call;
      if (hasUnknown(call)) return unknown(span);
      const at = address(call);
      const type = scalarOf(at, row.types, call);
      return callOf(operation, [at, convert(args[2] as Expression, type, reading.fail)], type, span);
    },
  };
}

function scalarOf(at: Address, types: readonly string[], { reading, path }: BuiltinCall): ScalarType {
  const { type, element } = at;
  if (element.kind === 'field') {
    if (type.kind === 'scalar' && types.includes(type.name)) return settled(type);
    return reading.fail(at, `${path} must be given a field of ${types.join(', ')}, got ${typeText(type)}`);
  }
  const { array } = element;
  const stored = array.type.kind === 'array' ? array.type.element : undefined;
  if (type.kind === 'scalar' && types.includes(type.name) && stored === type.name) return settled(type);
  const hint = type.kind === 'struct' ? `; for a field write ${path}(a[i], '${type.fields[0]?.[0] ?? 'x'}', …)` : '';
  return reading.fail(at, `${path} must be given an array of ${types.join(', ')}, got ${typeText(array.type)}${hint}`);
}

const CAS: Operation = {
  name: 'atomic.cas',
  effect: 'memory',
  cuda: (args, type) => {
    const { name } = type as ScalarType;
    if (isFloat(type)) return `atomic_cas_${name}(${args.join(', ')})`;
    if (name !== 'i64') return `atomicCAS(${args.join(', ')})`;
    const [at = '', old = '', next = ''] = args;
    const u = 'unsigned long long';
    return `(long long)atomicCAS((${u} *)${at}, (${u})(${old}), (${u})(${next}))`;
  },
  opencl: (args, type) => `atomic_cas_${(type as ScalarType).name}_SPACE(${args.join(', ')})`,
  js: typed('$m.atomic.cas'),
};

function cas(isFirst: boolean): Builtin {
  return {
    usage: isFirst ? 'cuda.atomic.compare_and_swap(array, old, value)' : 'cuda.atomic.cas(array, index, old, value)',
    arity: isFirst ? [3, 3] : [4, 4],
    read: (call) => {
      const { reading, args, span } = call;
      if (hasUnknown(call)) return unknown(span);
      const [array, ...rest] = args as [Expression, ...Expression[]];
      const zero: Expression = { kind: 'constant', value: 0, type: { kind: 'scalar', name: 'i32' }, ...span };
      const whole = isFirst ? [array, zero, ...rest] : args;
      const at = address({ ...call, args: whole });
      const type = scalarOf(at, NUMBERS, call);
      const values = whole.slice(2).map((value) => convert(value, type, reading.fail));
      return callOf(CAS, [at, ...values], type, span);
    },
  };
}

/** Operations on an element that other threads do not come between. Each gives what was there before. */
export const atomicBuiltins: BuiltinTable = {
  ...Object.fromEntries(Object.entries(ROWS).map(([name, row]) => [`atomic.${name}`, atomic(name, row)])),
  'atomic.cas': cas(false),
  'atomic.compare_and_swap': cas(true),
};
