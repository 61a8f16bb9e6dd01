import { PtxError } from './ptx-error.ts';
import type { PtxInstruction, PtxOperand } from './statements.ts';
import { typeOf } from './ptx-type.ts';
import type { Writer } from './writer.ts';

/** Words of A and B that a thread has, and the type of their elements. The results are four numbers. */
interface Shape {
  readonly a: number;
  readonly b: number;
  readonly elements: string;
  /** Results and addends: `f16` for two pairs. */
  readonly sums: 'f32' | 'f16' | 's32';
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'm16n8k8.row.col.f32.f16.f16.f32': { a: 2, b: 1, elements: 'f16', sums: 'f32' },
  'm16n8k16.row.col.f32.f16.f16.f32': { a: 4, b: 2, elements: 'f16', sums: 'f32' },
  'm16n8k8.row.col.f16.f16.f16.f16': { a: 2, b: 1, elements: 'f16', sums: 'f16' },
  'm16n8k16.row.col.f16.f16.f16.f16': { a: 4, b: 2, elements: 'f16', sums: 'f16' },
  'm16n8k8.row.col.f32.bf16.bf16.f32': { a: 2, b: 1, elements: 'bf16', sums: 'f32' },
  'm16n8k16.row.col.f32.bf16.bf16.f32': { a: 4, b: 2, elements: 'bf16', sums: 'f32' },
  'm16n8k4.row.col.f32.tf32.tf32.f32': { a: 2, b: 1, elements: 'tf32', sums: 'f32' },
  'm16n8k8.row.col.f32.tf32.tf32.f32': { a: 4, b: 2, elements: 'tf32', sums: 'f32' },
  'm16n8k16.row.col.s32.s8.s8.s32': { a: 2, b: 1, elements: 's8', sums: 's32' },
  'm16n8k32.row.col.s32.s8.s8.s32': { a: 4, b: 2, elements: 's8', sums: 's32' },
  'm16n8k16.row.col.s32.u8.u8.s32': { a: 2, b: 1, elements: 'u8', sums: 's32' },
  'm16n8k32.row.col.s32.u8.u8.s32': { a: 4, b: 2, elements: 'u8', sums: 's32' },
};

/** The functions of the library at which the threads of a warp wait. */
export const MATRIX_FUNCTIONS: readonly string[] = [
  ...['f16', 'bf16', 'tf32', 's8', 'u8'].map((type) => `__ptx_mma_${type}`),
  ...['__ptx_ldmatrix', '__ptx_ldmatrix_trans'],
];

/** ldmatrix: rows of matrices of 8 by 8 numbers of 16 bits. */
export function writeMatrixLoad(writer: Writer, { opcode, operands }: PtxInstruction): void {
  const told = opcode.join('.');
  const [, digit, trans] =
    /^ldmatrix\.sync\.aligned\.m8n8\.x([124])(\.trans)?\.shared(?:::cta)?\.b16$/.exec(told) ?? [];
  const [target, source] = operands;
  if (digit === undefined || !target || !source) throw notTranslated(told);
  const count = Number(digit);
  const parts = partsOf(target, count, told);
  const out = writer.variable('[4 x i32]');
  const args = [`ptr ${out}`, `ptr ${writer.address(source)}`, `i32 ${count}`];
  writer.call(trans === undefined ? '__ptx_ldmatrix' : '__ptx_ldmatrix_trans', 'void', args);
  for (const [i, part] of parts.entries()) writer.write(part, typeOf('b32'), load(writer, out, 'i32', i));
}

/** mma: d = a b + c. */
export function writeMatrixProduct(writer: Writer, { opcode, operands }: PtxInstruction): void {
  const told = opcode.join('.');
  const name = told.replace(/^mma\.sync\.aligned\./, '');
  const shape = name === told || !Object.hasOwn(SHAPES, name) ? undefined : SHAPES[name];
  const [d, a, b, c] = operands;
  if (!shape || !d || !a || !b || !c) throw notTranslated(told);
  const word = typeOf('b32');
  const sum = typeOf(shape.sums);
  const ir = shape.sums === 's32' ? 'i32' : 'float';
  const words = (operand: PtxOperand, count: number, full: number): string[] => [
    ...partsOf(operand, count, told).map((part) => `i32 ${writer.read(part, word)}`),
    ...new Array<string>(full - count).fill('i32 0'),
  ];
  const sums = writer.variable(`[4 x ${ir}]`);
  const isPaired = shape.sums === 'f16';
  const parts = { addends: partsOf(c, isPaired ? 2 : 4, told), results: partsOf(d, isPaired ? 2 : 4, told) };
  const addends = isPaired
    ? parts.addends.flatMap((part) => unpacked(writer, writer.read(part, word)))
    : parts.addends.map((part) => writer.read(part, sum));
  for (const [i, value] of addends.entries()) writer.line(`store ${ir} ${value}, ptr ${element(writer, sums, ir, i)}`);
  writer.call(`__ptx_mma_${shape.elements}`, 'void', [`ptr ${sums}`, ...words(a, shape.a, 4), ...words(b, shape.b, 2)]);
  const results = [0, 1, 2, 3].map((i) => load(writer, sums, ir, i));
  for (const [i, part] of parts.results.entries()) {
    if (isPaired) writer.write(part, word, packed(writer, results[2 * i] ?? '', results[2 * i + 1] ?? ''));
    else writer.write(part, sum, results[i] ?? '');
  }
}

/** The two halves of a word as floats. */
function unpacked(writer: Writer, value: string): string[] {
  return [0, 16].map((shift) => {
    const half = writer.value(`trunc i32 ${writer.value(`lshr i32 ${value}, ${shift}`)} to i16`);
    return writer.call('__ptx_cvt_f32_f16', 'float', [`i16 ${half}`]);
  });
}

function packed(writer: Writer, low: string, high: string): string {
  const [first = '', second = ''] = [low, high].map((value) => {
    const wide = writer.value(`fpext float ${value} to double`);
    return writer.value(`zext i16 ${writer.call('__ptx_cvt_rn_f16_f64', 'i16', [`double ${wide}`])} to i32`);
  });
  return writer.value(`or i32 ${first}, ${writer.value(`shl i32 ${second}, 16`)}`);
}

function element(writer: Writer, array: string, ir: string, i: number): string {
  return writer.value(`getelementptr inbounds [4 x ${ir}], ptr ${array}, i64 0, i64 ${i}`);
}

function load(writer: Writer, array: string, ir: string, i: number): string {
  return writer.value(`load ${ir}, ptr ${element(writer, array, ir, i)}`);
}

function partsOf(operand: PtxOperand, count: number, told: string): readonly PtxOperand[] {
  const parts = operand.kind === 'vector' ? operand.parts : [operand];
  if (parts.length !== count) throw new PtxError(`'${told}' must have ${count} registers here, got ${parts.length}`);
  return parts;
}

function notTranslated(told: string): PtxError {
  return new PtxError(`PTX instruction '${told}' is not translated by the CPU device`);
}
