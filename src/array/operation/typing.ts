import {
  arrayDTypes,
  dtypeOfScalar,
  floatOf,
  promote,
  promoteWeak,
  type ArrayDType,
  type DTypeKind,
} from '../dtype.ts';
import { ALL, INTEGERS, type OperandType, type Operation, type Rule, type Typing } from './operation.ts';

/**
 * The dtypes of an operation on operands.
 *
 * @throws TypeError it has no meaning for these dtypes; the message names those for which it has one
 * @throws RangeError a scalar that the dtype cannot hold
 */
export function typingOf({ name, rule, kinds, advice }: Operation, operands: readonly OperandType[]): Typing {
  const common = commonDType(operandsInCommon(rule, operands));
  checkKind(name, common, kinds, advice);
  const all = (dtype: ArrayDType, result = dtype): Typing => ({ operands: operands.map(() => dtype), result });
  switch (rule) {
    case 'same':
      return all(common);
    case 'float':
      return all(floatOf(common));
    case 'real':
      return all(common, partOf(common));
    case 'part':
      return all(floatOf(common), partOf(floatOf(common)));
    case 'bool':
      return all(common, 'bool');
    case 'order':
      return { operands: exact(operands) ?? operands.map(() => common), result: 'bool' };
    case 'logical':
      return all('bool');
    case 'count':
      return all(common, 'u8');
    case 'scale':
      return scaleOf(name, operands, kinds);
    case 'choice':
      return { operands: ['bool', common, common], result: common };
    default:
      return rule satisfies never;
  }
}

/** Those of the operands that have one dtype. */
function operandsInCommon(rule: Rule, operands: readonly OperandType[]): readonly OperandType[] {
  return rule === 'choice' ? operands.slice(1) : rule === 'scale' ? operands.slice(0, 1) : operands;
}

function partOf(dtype: ArrayDType): ArrayDType {
  return arrayDTypes[dtype].kind === 'complex' ? arrayDTypes[dtype].part : dtype;
}

/** The dtypes in which a signed integer and one of u64 are compared. */
function exact(operands: readonly OperandType[]): readonly ArrayDType[] | undefined {
  const dtypes = operands.map((operand) => ('dtype' in operand ? operand.dtype : 'bool'));
  const isMixed = dtypes.includes('u64') && dtypes.some((dtype) => arrayDTypes[dtype].kind === 'int');
  return isMixed ? dtypes.map((dtype) => (dtype === 'u64' ? 'u64' : 'i64')) : undefined;
}

/** The second operand is an exponent: of 64 bits only where it has so many. */
function scaleOf(name: string, [number, exponent]: readonly OperandType[], kinds: readonly DTypeKind[]): Typing {
  const common = commonDType(number === undefined ? [] : [number]);
  checkKind(name, common, kinds);
  const dtype = commonDType(exponent === undefined ? [] : [exponent]);
  checkKind(`${name}: the exponent`, dtype, INTEGERS);
  if (dtype === 'u64') throw new TypeError(`${name}: the exponent must be of a signed dtype, or of 32 bits, got u64`);
  const isWide = arrayDTypes[dtype].size === 8 || dtype === 'u32';
  return { operands: [floatOf(common), isWide ? 'i64' : 'i32'], result: floatOf(common) };
}

/** The dtype that operands have in common: arrays' by the table, then scalars follow. */
export function commonDType(operands: readonly OperandType[]): ArrayDType {
  let common: ArrayDType | undefined;
  for (const operand of operands) {
    if (!('dtype' in operand)) continue;
    common = common === undefined ? operand.dtype : promote(common, operand.dtype);
  }
  for (const operand of operands) {
    if (!('scalar' in operand)) continue;
    common = common === undefined ? dtypeOfScalars(operands) : promoteWeak(common, operand.scalar);
  }
  return common ?? 'f32';
}

/** The dtype of scalars alone, in whatever order: a fraction makes all of them floats. */
function dtypeOfScalars(operands: readonly OperandType[]): ArrayDType {
  const dtypes = operands.flatMap((operand) => ('scalar' in operand ? [dtypeOfScalar(operand.scalar)] : []));
  for (const dtype of ['c64', 'f32'] as const) if (dtypes.includes(dtype)) return dtype;
  return dtypes.reduce(promote, 'bool');
}

/** Throw for a dtype whose kind an operation does not take. */
export function checkKind(name: string, dtype: ArrayDType, kinds: readonly DTypeKind[], advice = ''): void {
  if (kinds.includes(arrayDTypes[dtype].kind)) return;
  const allowed = ALL.filter((kind) => kinds.includes(kind)).flatMap((kind) =>
    Object.values(arrayDTypes).flatMap((info) => (info.kind === kind ? [info.name] : [])),
  );
  throw new TypeError(`${name} must be given elements of ${allowed.join(', ')}, got ${dtype}${advice}`);
}
