import { PtxError } from './ptx-error.ts';
import type { PtxInstruction, PtxOperand } from './statements.ts';
import { isType, typeOf, type PtxType } from './ptx-type.ts';
import type { Writer } from './writer.ts';

/** LLVM's conditions for integers: of bits, unsigned, signed. */
const INTEGERS: Readonly<Record<string, readonly [bits: string, unsigned: string, signed: string]>> = {
  eq: ['eq', 'eq', 'eq'],
  ne: ['ne', 'ne', 'ne'],
  lt: ['', 'ult', 'slt'],
  le: ['', 'ule', 'sle'],
  gt: ['', 'ugt', 'sgt'],
  ge: ['', 'uge', 'sge'],
  lo: ['', 'ult', ''],
  ls: ['', 'ule', ''],
  hi: ['', 'ugt', ''],
  hs: ['', 'uge', ''],
};
/** And for floating-point numbers; those that end in u are true for NaN. */
const FLOATS: Readonly<Record<string, string>> = {
  ...{ eq: 'oeq', ne: 'one', lt: 'olt', le: 'ole', gt: 'ogt', ge: 'oge', num: 'ord', nan: 'uno' },
  ...{ equ: 'ueq', neu: 'une', ltu: 'ult', leu: 'ule', gtu: 'ugt', geu: 'uge' },
};
const JOINED = /^(?:and|or|xor)$/;

/** setp: one or two predicates. */
export function writeSetp(writer: Writer, instruction: PtxInstruction): void {
  const [target, ...rest] = instruction.operands;
  const [result, opposite] = compared(writer, instruction, rest, 1);
  const pred = typeOf('pred');
  if (target?.kind === 'pair') {
    writer.write(target.first, pred, result);
    writer.write(target.second, pred, opposite());
  } else writer.write(target ?? { kind: 'nothing' }, pred, result);
}

/** set: all bits or none, or 1.0 or 0.0. */
export function writeSet(writer: Writer, instruction: PtxInstruction): void {
  const [target, ...rest] = instruction.operands;
  const name = instruction.opcode.find(isType) ?? '';
  if (!/^(?:[us]32|f32)$/.test(name)) throw new PtxError(`set must have a result of .u32, .s32 or .f32, got .${name}`);
  const [result] = compared(writer, instruction, rest, 2);
  const value = writer.value(name === 'f32' ? `select i1 ${result}, float 1.0, float 0.0` : `sext i1 ${result} to i32`);
  writer.write(target ?? { kind: 'nothing' }, typeOf(name), value);
}

/** selp: by a predicate; slct: by the sign of a number. */
export function writeSelect(writer: Writer, { opcode, operands }: PtxInstruction): void {
  const [target, a, b, c] = operands;
  if (!target || !a || !b || !c || operands.length !== 4)
    throw new PtxError(`${opcode.join('.')} must have 4 operands`);
  const types = opcode.filter(isType);
  const type = typeOf(types[0] ?? '');
  const [first, second] = [writer.read(a, type), writer.read(b, type)];
  const by = opcode[0] === 'selp' ? writer.read(c, typeOf('pred')) : isNotNegative(writer, c, types[1] ?? '', opcode);
  writer.write(target, type, writer.value(`select i1 ${by}, ${type.ir} ${first}, ${type.ir} ${second}`));
}

function isNotNegative(writer: Writer, operand: PtxOperand, name: string, opcode: readonly string[]): string {
  const type = typeOf(name);
  const value = writer.read(operand, type);
  if (name === 's32') return writer.value(`icmp sge i32 ${value}, 0`);
  if (name !== 'f32') throw new PtxError(`${opcode.join('.')} must select by .s32 or .f32`);
  const whole = opcode.includes('ftz') ? writer.call('__ptx_ftz_f32', 'float', [`float ${value}`]) : value;
  return writer.value(`fcmp oge float ${whole}, 0.0`);
}

function compared(
  writer: Writer,
  { opcode }: PtxInstruction,
  [a, b, c]: readonly (PtxOperand | undefined)[],
  types: number,
): [string, () => string] {
  const told = opcode.join('.');
  const joined = opcode.find((part) => JOINED.test(part));
  const names = opcode.filter(isType);
  const [condition = ''] = opcode.slice(1);
  const name = names.at(-1) ?? '';
  if (names.length !== types || !a || !b || (joined !== undefined) !== (c !== undefined)) {
    throw new PtxError(
      `'${told}' must have ${types === 1 ? 'one type' : 'two types'} and ${joined === undefined ? 3 : 4} operands`,
    );
  }
  const type = typeOf(name);
  const flushes = opcode.includes('ftz');
  const plain = conditionOf(
    writer,
    condition,
    name,
    type,
    [a, b].map((one) => operandOf(writer, one, name, flushes)),
    told,
  );
  if (joined === undefined || !c) return [plain, () => writer.value(`xor i1 ${plain}, true`)];
  const other = writer.read(c, typeOf('pred'));
  const join = (value: string): string => writer.value(`${joined} i1 ${value}, ${other}`);
  return [join(plain), () => join(writer.value(`xor i1 ${plain}, true`))];
}

/** Numbers of 16 bits are compared as floats, which has all of them. */
function operandOf(writer: Writer, operand: PtxOperand, name: string, flushes: boolean): string {
  const type = typeOf(name);
  let value = writer.read(operand, type);
  if (flushes) value = writer.call(`__ptx_ftz_${name}`, type.ir, [`${type.ir} ${value}`]);
  return type.kind === 'f' && type.bits === 16
    ? writer.call(`__ptx_cvt_f32_${name}`, 'float', [`i16 ${value}`])
    : value;
}

function conditionOf(
  writer: Writer,
  condition: string,
  name: string,
  type: PtxType,
  [a = '', b = '']: readonly string[],
  told: string,
): string {
  const isFloat = type.kind === 'f';
  const llvm = isFloat ? FLOATS[condition] : INTEGERS[condition]?.[type.kind === 'b' ? 0 : type.kind === 'u' ? 1 : 2];
  if (llvm === undefined || llvm === '' || type.kind === 'p' || type.bits < 16 || /x2$/.test(name)) {
    throw new PtxError(`PTX instruction '${told}' is not translated by the CPU device`);
  }
  const ir = isFloat && type.bits === 16 ? 'float' : type.ir;
  return writer.value(`${isFloat ? 'fcmp' : 'icmp'} ${llvm} ${ir} ${a}, ${b}`);
}
