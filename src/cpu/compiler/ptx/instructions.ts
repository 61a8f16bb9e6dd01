import { writeForm } from './calls.ts';
import { writeSelect, writeSet, writeSetp } from './comparisons.ts';
import { writeConversion } from './conversions.ts';
import { FLOAT_FORMS } from './float-forms.ts';
import { expandForms, type Form } from './forms.ts';
import { INTEGER_FORMS } from './integer-forms.ts';
import { MATRIX_FUNCTIONS, writeMatrixLoad, writeMatrixProduct } from './matrices.ts';
import { plainAtomic, writeAsyncCopy, writeLoad, writeStore } from './memory.ts';
import { writeMove } from './moves.ts';
import { PtxError } from './ptx-error.ts';
import type { PtxInstruction } from './statements.ts';
import { ATOMIC_FORMS, THREAD_FORMS, WARP_FORMS } from './thread-forms.ts';
import { typeOf } from './ptx-type.ts';
import type { Writer } from './writer.ts';

type Translate = (writer: Writer, instruction: PtxInstruction) => void;

const nothing: Translate = () => undefined;
const fence: Translate = (writer) => writer.line('fence seq_cst');

/** Instructions that are more than a call, by the first part of their opcode. */
const TRANSLATED: Readonly<Record<string, Translate>> = {
  mov: writeMove,
  cvta: writeMove,
  cvt: writeConversion,
  ld: writeLoad,
  ldu: writeLoad,
  st: writeStore,
  setp: writeSetp,
  set: writeSet,
  selp: writeSelect,
  slct: writeSelect,
  atom: writeAtomic,
  red: writeReduction,
  membar: fence,
  fence,
  bar: writeBarrier,
  barrier: writeBarrier,
  cp: writeAsyncCopy,
  ldmatrix: writeMatrixLoad,
  mma: writeMatrixProduct,
  prefetch: nothing,
  prefetchu: nothing,
  applypriority: nothing,
  discard: nothing,
};

let forms: ReadonlyMap<string, Form> | undefined;
let atomics: ReadonlyMap<string, Form> | undefined;

/** The functions of the library at which threads wait. */
export function waitingFunctions(): string[] {
  const waiting = [...expandForms(WARP_FORMS).values()].map(({ helper }) => helper);
  return [...waiting, ...MATRIX_FUNCTIONS, ...Object.values(BARRIERS).map(([, helper]) => helper)];
}

/** Translate one instruction. */
export function writeInstruction(writer: Writer, instruction: PtxInstruction): void {
  forms ??= expandForms({ ...INTEGER_FORMS, ...FLOAT_FORMS, ...WARP_FORMS, ...THREAD_FORMS });
  const { opcode, operands } = instruction;
  const told = opcode.join('.');
  const form = forms.get(told);
  writer.takesSpecial = opcode[0] === 'mov' || opcode[0] === 'cvt';
  if (form) writeForm(writer, told, form, operands);
  else {
    const translate = Object.hasOwn(TRANSLATED, opcode[0] ?? '') ? TRANSLATED[opcode[0] ?? ''] : undefined;
    if (!translate) throw notTranslated(told);
    translate(writer, instruction);
  }
}

function writeAtomic(writer: Writer, instruction: PtxInstruction): void {
  atomics ??= expandForms(ATOMIC_FORMS);
  const { opcode, before, after } = plainAtomic(instruction);
  const form = atomics.get(opcode);
  const told = instruction.opcode.join('.');
  if (!form) throw notTranslated(told);
  if (before) fence(writer, instruction);
  writeForm(writer, told, form, instruction.operands);
  if (after) fence(writer, instruction);
}

function writeReduction(writer: Writer, instruction: PtxInstruction): void {
  writeAtomic(writer, { ...instruction, operands: [{ kind: 'nothing' }, ...instruction.operands] });
}

/** Barriers of the block: the type of their result, if they have one, and the function. */
const BARRIERS: Readonly<Record<string, readonly [result: string, helper: string]>> = {
  'bar.sync': ['', '__ptx_bar_sync'],
  'bar.red.popc.u32': ['u32', '__ptx_bar_red_popc_u32'],
  'bar.red.and.pred': ['pred', '__ptx_bar_red_and_pred'],
  'bar.red.or.pred': ['pred', '__ptx_bar_red_or_pred'],
};

function writeBarrier(writer: Writer, { opcode, operands }: PtxInstruction): void {
  const told = opcode.join('.');
  const plain = ['bar', ...opcode.slice(1).filter((part) => part !== 'cta' && part !== 'aligned')].join('.');
  const [result, name] = BARRIERS[plain] ?? [];
  if (result === undefined || name === undefined) throw notTranslated(told);
  const wanted = result === '' ? 1 : 3;
  if (operands.length > wanted) {
    throw new PtxError(
      `'${told}' with a number of threads is not translated by the CPU device: all threads of the block must take part`,
    );
  }
  const [first, , last] = operands;
  if (!first || operands.length < wanted)
    throw new PtxError(`'${told}' must have ${wanted} operands, got ${operands.length}`);
  if (result === '') {
    writer.call(name, 'void', []);
    return;
  }
  const vote = last ? writer.read(last, typeOf('pred')) : '';
  writer.write(first, typeOf(result), writer.call(name, typeOf(result).ir, [`i1 ${vote}`]));
}

function notTranslated(told: string): PtxError {
  return new PtxError(`PTX instruction '${told}' is not translated by the CPU device`);
}
