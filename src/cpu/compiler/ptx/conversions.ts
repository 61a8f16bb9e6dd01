import { PtxError } from './ptx-error.ts';
import type { PtxInstruction, PtxOperand } from './statements.ts';
import { isType, typeOf, type PtxType } from './ptx-type.ts';
import type { Writer } from './writer.ts';

interface Conversion {
  readonly told: string;
  readonly to: string;
  readonly from: string;
  /** rn, rz, rm, rp; to integers rni, rzi, rmi, rpi. */
  readonly rounding: string | undefined;
  readonly flushes: boolean;
  readonly saturates: boolean;
}

/** cvt. */
export function writeConversion(writer: Writer, { opcode, operands }: PtxInstruction): void {
  const told = opcode.join('.');
  const [to, from, ...more] = opcode.filter(isType);
  const known = /^(?:cvt|r[nzmp]i?|rna|ftz|sat|relu)$/;
  if (
    to === undefined ||
    from === undefined ||
    more.length > 0 ||
    opcode.some((part) => !known.test(part) && !isType(part))
  ) {
    throw notTranslated(told);
  }
  const rounding = opcode.find((part) => /^r(?:[nzmp]i?|na)$/.test(part));
  const one = { told, to, from, rounding, flushes: opcode.includes('ftz'), saturates: opcode.includes('sat') };
  const [target, ...sources] = operands;
  const isPair = /x2$/.test(to);
  if (!target || sources.length !== (isPair ? 2 : 1)) {
    throw new PtxError(`'${told}' must have ${isPair ? 3 : 2} operands, got ${operands.length}`);
  }
  const values = sources.map((source) => convert(writer, source, isPair ? { ...one, to: to.slice(0, -2) } : one));
  let [value = ''] = values;
  if (opcode.includes('relu')) throw notTranslated(told);
  if (isPair) {
    // "For .f16x2 the first source goes to the upper half."
    const [high = '', low = ''] = values.map((half) => writer.value(`zext i16 ${half} to i32`));
    value = writer.value(`or i32 ${writer.value(`shl i32 ${high}, 16`)}, ${low}`);
  }
  writer.write(target, typeOf(to), value, true);
}

function convert(writer: Writer, operand: PtxOperand, one: Conversion): string {
  const [to, from] = [typeOf(one.to), typeOf(one.from)];
  let value = writer.read(operand, from, true);
  if (to.kind === 'p' || from.kind === 'p' || /x2$/.test(one.from)) throw notTranslated(one.told);
  if (from.kind === 'f' && one.flushes) value = helper(writer, `ftz_${one.from}`, from, from, value);
  if (from.kind !== 'f' && to.kind !== 'f' && one.to !== 'tf32') return betweenIntegers(writer, value, one);
  if (to.kind !== 'f' && one.to !== 'tf32') return toInteger(writer, value, one);
  const made = from.kind === 'f' ? betweenFloats(writer, value, one) : fromInteger(writer, value, one);
  return one.saturates ? helper(writer, `sat_${one.to}`, to, to, made) : made;
}

/** Clamped to the smaller type where that is asked for, else cut. */
function betweenIntegers(writer: Writer, value: string, one: Conversion): string {
  const [to, from] = [typeOf(one.to), typeOf(one.from)];
  if (one.rounding !== undefined || from.kind === 'b' || to.kind === 'b') throw notTranslated(one.told);
  const held = one.saturates ? clamp(writer, value, to, from) : value;
  if (to.bits === from.bits) return held;
  const operation = to.bits < from.bits ? 'trunc' : from.kind === 's' ? 'sext' : 'zext';
  return writer.value(`${operation} ${from.ir} ${held} to ${to.ir}`);
}

function clamp(writer: Writer, value: string, to: PtxType, from: PtxType): string {
  const top = (type: PtxType): bigint => (1n << BigInt(type.bits - (type.kind === 's' ? 1 : 0))) - 1n;
  const bottom = (type: PtxType): bigint => (type.kind === 's' ? -(1n << BigInt(type.bits - 1)) : 0n);
  const compare = from.kind === 's' ? 's' : 'u';
  let held = value;
  const hold = (condition: string, bound: bigint): void => {
    const number = BigInt.asIntN(from.bits, bound);
    const outside = writer.value(`icmp ${compare}${condition} ${from.ir} ${held}, ${number}`);
    held = writer.value(`select i1 ${outside}, ${from.ir} ${number}, ${from.ir} ${held}`);
  };
  if (top(to) < top(from)) hold('gt', top(to));
  if (bottom(to) > bottom(from)) hold('lt', bottom(to));
  return held;
}

function toInteger(writer: Writer, value: string, one: Conversion): string {
  const to = typeOf(one.to);
  if (!/^r[nzmp]i$/.test(one.rounding ?? '') || to.kind === 'b') throw notTranslated(one.told);
  const [wide, name] = widened(writer, value, one.from);
  return helper(writer, `cvt_${one.rounding ?? ''}_${one.to}_${name}`, typeOf(name), to, wide);
}

function fromInteger(writer: Writer, value: string, one: Conversion): string {
  const from = typeOf(one.from);
  if (!/^r[nzmp]$/.test(one.rounding ?? '') || from.kind === 'b') throw notTranslated(one.told);
  const sign = from.kind === 's' ? 's' : 'u';
  const wide = from.bits === 64 ? value : writer.value(`${sign === 's' ? 'sext' : 'zext'} ${from.ir} ${value} to i64`);
  return helper(writer, `cvt_${one.rounding ?? ''}_${one.to}_${sign}64`, typeOf('b64'), typeOf(one.to), wide);
}

function betweenFloats(writer: Writer, value: string, one: Conversion): string {
  const { to, from, rounding, told } = one;
  if (to === 'tf32') {
    if (rounding !== 'rna' || from !== 'f32') throw notTranslated(told);
    return helper(writer, 'cvt_rna_tf32_f32', typeOf('f32'), typeOf('tf32'), value);
  }
  const isInteger = rounding?.endsWith('i') === true;
  if (to === from && rounding === undefined) return value;
  if (to === from && isInteger && typeOf(to).bits > 16) {
    return helper(writer, `cvt_${rounding}_${to}_${to}`, typeOf(to), typeOf(to), value);
  }
  const [wide, name] = widened(writer, value, from);
  if (rounding === undefined) {
    // Every smaller format is a part of the larger one.
    if (to === 'f64') return name === 'f64' ? wide : writer.value(`fpext float ${wide} to double`);
    if (to === 'f32' && name === 'f32') return wide;
    throw notTranslated(told);
  }
  if (!/^r[nzmp]$/.test(rounding) || typeOf(to).bits > typeOf(from).bits) throw notTranslated(told);
  const double = name === 'f64' ? wide : writer.value(`fpext float ${wide} to double`);
  return helper(writer, `cvt_${rounding}_${to}_f64`, typeOf('f64'), typeOf(to), double);
}

/** A number of 16 bits as the float that it is. */
function widened(writer: Writer, value: string, name: string): [value: string, name: string] {
  const type = typeOf(name);
  if (type.bits > 16) return [value, name];
  return [helper(writer, `cvt_f32_${name}`, type, typeOf('f32'), value), 'f32'];
}

function helper(writer: Writer, name: string, from: PtxType, to: PtxType, value: string): string {
  return writer.call(`__ptx_${name}`, to.ir, [`${from.ir} ${value}`]);
}

function notTranslated(told: string): PtxError {
  return new PtxError(`PTX instruction '${told}' is not translated by the CPU device`);
}
