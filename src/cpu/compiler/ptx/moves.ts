import { PtxError } from './ptx-error.ts';
import type { PtxInstruction, PtxOperand } from './statements.ts';
import { bitsType, isType, typeOf, type PtxType } from './ptx-type.ts';
import type { Writer } from './writer.ts';

/** mov, also of parts to a whole and back; cvta, whose addresses are all the same here. */
export function writeMove(writer: Writer, { opcode, operands }: PtxInstruction): void {
  const told = opcode.join('.');
  const [target, source] = operands;
  const name = opcode.at(-1) ?? '';
  if (!target || !source || operands.length !== 2 || !isType(name)) {
    throw new PtxError(`'${told}' must have a type and 2 operands`);
  }
  const type = typeOf(name);
  if (target.kind === 'vector') unpack(writer, target.parts, source, type, told);
  else if (source.kind === 'vector') writer.write(target, type, pack(writer, source.parts, type, told));
  else writer.write(target, type, writer.read(source, type));
}

/** `mov.b64 d, {low, high}` */
function pack(writer: Writer, parts: readonly PtxOperand[], type: PtxType, told: string): string {
  const part = partOf(parts.length, type, told);
  const whole = bitsType(type);
  let value = '0';
  for (const [i, operand] of parts.entries()) {
    const wide = writer.value(`zext ${bitsType(part)} ${writer.read(operand, part)} to ${whole}`);
    const moved = i === 0 ? wide : writer.value(`shl ${whole} ${wide}, ${i * part.bits}`);
    value = i === 0 ? moved : writer.value(`or ${whole} ${value}, ${moved}`);
  }
  return type.ir === whole ? value : writer.value(`bitcast ${whole} ${value} to ${type.ir}`);
}

/** `mov.b64 {low, high}, a` */
function unpack(writer: Writer, parts: readonly PtxOperand[], source: PtxOperand, type: PtxType, told: string): void {
  const part = partOf(parts.length, type, told);
  const whole = bitsType(type);
  const value = writer.read(source, typeOf(`b${type.bits}`));
  for (const [i, operand] of parts.entries()) {
    const moved = i === 0 ? value : writer.value(`lshr ${whole} ${value}, ${i * part.bits}`);
    writer.write(operand, part, writer.value(`trunc ${whole} ${moved} to ${bitsType(part)}`));
  }
}

function partOf(count: number, type: PtxType, told: string): PtxType {
  const bits = type.bits / count;
  if (type.kind !== 'b' || ![8, 16, 32].includes(bits)) {
    throw new PtxError(`'${told}' must have a .b type of 2 or 4 parts, got ${count}`);
  }
  return typeOf(`b${bits}`);
}
