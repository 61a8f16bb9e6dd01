import { ATOMIC_FORMS, THREAD_FORMS, WARP_FORMS } from '../../src/cpu/compiler/ptx/thread-forms.ts';
import { FLOAT_FORMS } from '../../src/cpu/compiler/ptx/float-forms.ts';
import { expandForms, type Form, type FormTable } from '../../src/cpu/compiler/ptx/forms.ts';
import { INTEGER_FORMS } from '../../src/cpu/compiler/ptx/integer-forms.ts';

/** The names of the tables. */
export type PtxTable = 'integers' | 'floats' | 'warps' | 'threads' | 'atomics';

/** The tables of instructions. */
export const PTX_TABLES: Readonly<Record<PtxTable, FormTable>> = {
  integers: INTEGER_FORMS,
  floats: FLOAT_FORMS,
  warps: WARP_FORMS,
  threads: THREAD_FORMS,
  atomics: ATOMIC_FORMS,
};

/** A kernel with a statement for each opcode of a table, on registers of the types that it wants. */
export function kernelOfForms(table: PtxTable): string {
  const forms = [...expandForms(PTX_TABLES[table])];
  const statements = forms.map(
    ([opcode, form]) => `  asm volatile("${statementOf(opcode, form)}" :: "l"(x) : "memory");`,
  );
  return [`extern "C" __global__ void ${table}(int *x) {`, ...statements, '}'].join('\n');
}

function statementOf(opcode: string, { results, operands }: Form): string {
  const given = operands.map((type, i) => (type === 'addr' ? '[%0]' : (immediate(opcode, i) ?? `a${i}`)));
  const made = results[0] === 'void' ? [] : [results.map((_, i) => `d${i}`).join('|')];
  const types = new Map([
    ...operands.map((type, i) => [`a${i}`, type] as const),
    ...(results[0] === 'void' ? [] : results.map((type, i) => [`d${i}`, type] as const)),
  ]);
  const registers = [...types].flatMap(([name, type]) => {
    if (type === 'addr') return [];
    // Registers have no type for pairs of numbers of 16 bits, and bfloat16 is bits.
    const own = /x2$/.test(type) ? 'b32' : type === 'bf16' ? 'b16' : type;
    return [`.reg .${own} ${name};`];
  });
  const list = [...made, ...given].join(', ');
  return `{ ${registers.join(' ')} ${opcode}${list && ` ${list}`}; }`;
}

/** The operands that ptxas wants as numbers. */
function immediate(opcode: string, i: number): string | undefined {
  return opcode === 'lop3.b32' && i === 3 ? '0x96' : undefined;
}
