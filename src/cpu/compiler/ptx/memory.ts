import { PtxError } from './ptx-error.ts';
import type { PtxInstruction, PtxOperand } from './statements.ts';
import { bitsType, isType, typeOf, type PtxType } from './ptx-type.ts';
import type { Writer } from './writer.ts';

/** Spaces, which are one here, and hints, which do nothing. */
const IGNORED =
  /^(?:global|shared(?:::cta)?|const|local|weak|nc|ca|cg|cs|lu|cv|wb|wt|cta|cluster|gpu|sys|unified|L1::\w+|L2::\w+)$/;
const ORDER = /^(?:volatile|relaxed|acquire|release|mmio)$/;

interface Access {
  readonly type: PtxType;
  readonly count: number;
  readonly order: string | undefined;
}

/** ld and ldu. */
export function writeLoad(writer: Writer, instruction: PtxInstruction): void {
  const access = accessOf(instruction);
  const [target, source] = instruction.operands;
  if (!target || !source) throw new PtxError(`'${instruction.opcode.join('.')}' must have 2 operands`);
  const pointer = writer.address(source);
  const { type, count, order } = access;
  const ir = bitsType(type);
  const align = (type.bits / 8) * count;
  const fromBits = (value: string): string =>
    type.ir === ir ? value : writer.value(`bitcast ${ir} ${value} to ${type.ir}`);
  if (count === 1) {
    const value = writer.value(
      `load ${flags(order, count)}${ir}, ptr ${pointer}${ordering(order, count)}, align ${align}`,
    );
    writer.write(target, type, fromBits(value), true);
  } else {
    const value = writer.value(`load ${flags(order, count)}<${count} x ${ir}>, ptr ${pointer}, align ${align}`);
    for (const [i, part] of partsOf(target, count, instruction).entries()) {
      writer.write(part, type, fromBits(writer.value(`extractelement <${count} x ${ir}> ${value}, i64 ${i}`)), true);
    }
  }
  if (order === 'acquire') writer.line('fence seq_cst');
}

/** st. */
export function writeStore(writer: Writer, instruction: PtxInstruction): void {
  const { type, count, order } = accessOf(instruction);
  const [target, source] = instruction.operands;
  if (!target || !source) throw new PtxError(`'${instruction.opcode.join('.')}' must have 2 operands`);
  const pointer = writer.address(target);
  const ir = bitsType(type);
  const bits = { ...type, ir };
  const align = (type.bits / 8) * count;
  if (order === 'release') writer.line('fence seq_cst');
  const value = (part: PtxOperand): string =>
    part.kind === 'float' && type.ir !== ir
      ? writer.value(`bitcast ${type.ir} ${writer.read(part, type)} to ${ir}`)
      : writer.read(part, bits, true);
  if (count === 1) {
    const stored = value(source);
    writer.line(`store ${flags(order, count)}${ir} ${stored}, ptr ${pointer}${ordering(order, count)}, align ${align}`);
    return;
  }
  let vector = 'poison';
  for (const [i, part] of partsOf(source, count, instruction).entries()) {
    const element = value(part);
    vector = writer.value(`insertelement <${count} x ${ir}> ${vector}, ${ir} ${element}, i64 ${i}`);
  }
  writer.line(`store ${flags(order, count)}<${count} x ${ir}> ${vector}, ptr ${pointer}, align ${align}`);
}

/** atom and red without their space, order and scope, and the fences that the order asks for. */
export function plainAtomic({ opcode }: PtxInstruction): { opcode: string; before: boolean; after: boolean } {
  const parts = opcode.filter((part) => !IGNORED.test(part) && !ORDER.test(part) && part !== 'acq_rel');
  parts[0] = 'atom';
  const ordered = (...names: string[]): boolean => names.some((name) => opcode.includes(name));
  return {
    opcode: parts.join('.'),
    before: ordered('release', 'acq_rel'),
    after: ordered('acquire', 'acq_rel'),
  };
}

/** cp.async: the copy is done at once, so that there is nothing to wait for. */
export function writeAsyncCopy(writer: Writer, { opcode, operands }: PtxInstruction): void {
  const told = opcode.join('.');
  if (/^cp\.async\.(?:commit_group|wait_group|wait_all)$/.test(told)) return;
  if (!/^cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::\w+)*$/.test(told)) {
    throw new PtxError(`PTX instruction '${told}' is not translated by the CPU device`);
  }
  const [to, from, size, there] = operands;
  const bytes = size && writer.constantOf(size);
  if (!to || !from || bytes === undefined || ![4n, 8n, 16n].includes(bytes)) {
    throw new PtxError(`'${told}' must have two addresses and a size of 4, 8 or 16 bytes, got ${bytes ?? 'no number'}`);
  }
  const pointers = [to, from].map((one) => `ptr ${writer.address(one)}`);
  writer.call('__ptx_cp_async', 'void', [...pointers, `i32 ${bytes}`, `i32 ${sourceBytes(writer, there, bytes)}`]);
}

/** The bytes to copy: those beyond become zeros. A predicate leaves the source out as a whole. */
function sourceBytes(writer: Writer, operand: PtxOperand | undefined, bytes: bigint): string {
  if (!operand) return String(bytes);
  const register = operand.kind === 'not' ? writer.registerOf(operand.of) : writer.registerOf(operand);
  if (register?.type.kind !== 'p') return writer.read(operand, typeOf('u32'));
  return writer.value(`select i1 ${writer.read(operand, typeOf('pred'))}, i32 0, i32 ${bytes}`);
}

function accessOf({ opcode }: PtxInstruction): Access {
  const told = opcode.join('.');
  const rest = opcode.slice(1).filter((part) => !IGNORED.test(part));
  const vector = rest.find((part) => /^v[248]$/.test(part));
  const order = rest.find((part) => ORDER.test(part));
  const names = rest.filter(isType);
  const unknown = rest.find((part) => part !== vector && part !== order && !isType(part));
  const [name = ''] = names;
  if (unknown !== undefined || names.length !== 1 || name === 'pred') {
    throw new PtxError(`PTX instruction '${told}' is not translated by the CPU device`);
  }
  const type = typeOf(name);
  const count = Number(vector?.slice(1) ?? 1);
  if (type.bits * count > 128)
    throw new PtxError(`'${told}' must access at most 16 bytes, got ${(type.bits * count) / 8}`);
  return { type, count, order };
}

/** Accesses to vectors are not atomic on a GPU either: they are of their elements, in no order. */
function flags(order: string | undefined, count: number): string {
  if (order === undefined) return '';
  return order === 'volatile' || order === 'mmio' || count > 1 ? 'volatile ' : 'atomic ';
}

function ordering(order: string | undefined, count: number): string {
  return flags(order, count) === 'atomic ' ? ' monotonic' : '';
}

function partsOf(operand: PtxOperand, count: number, { opcode }: PtxInstruction): readonly PtxOperand[] {
  const parts = operand.kind === 'vector' ? operand.parts : [operand];
  if (parts.length !== count)
    throw new PtxError(`'${opcode.join('.')}' must have ${count} elements, got ${parts.length}`);
  return parts;
}
