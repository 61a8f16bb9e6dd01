import { isType } from './ptx-type.ts';

/** An instruction that a function of the library does. */
export interface Form {
  readonly helper: string;
  /** `void`; with `|` a second result. */
  readonly results: readonly string[];
  readonly operands: readonly string[];
  /** Whether the function reads and writes the carry flag. */
  readonly carries: boolean;
  /** Subnormal numbers count as zero; the result is held between 0 and 1. */
  readonly flushes: boolean;
  readonly saturates: boolean;
  /** The type of the operands: the last of the opcode. */
  readonly type: string;
}

/**
 * Patterns of opcodes with their operands, the result first. `{a,b}` is one of the two, `[.x]` may be there. T is the
 * opcode's last type, W an integer of twice its width, `addr` an address in brackets, `cc` the carry flag.
 */
export type FormTable = Readonly<Record<string, string>>;

/** The forms of a table by their opcodes. */
export function expandForms(table: FormTable): Map<string, Form> {
  const forms = new Map<string, Form>();
  for (const [pattern, signature] of Object.entries(table)) {
    for (const opcode of expand(pattern)) forms.set(opcode, formOf(opcode, signature.split(' ')));
  }
  return forms;
}

function formOf(opcode: string, signature: readonly string[]): Form {
  const parts = opcode.split('.');
  const type = parts.findLast(isType) ?? '';
  const isFloat = /^b?f\d/.test(type);
  const carries = signature[0] === 'cc';
  const [result = '', ...operands] = (carries ? signature.slice(1) : signature).map((one) => withType(one, type));
  // Rounding to nearest is what a function without a rounding in its name does.
  const own = isFloat ? parts.filter((part) => !/^(?:rn|ftz|sat|noftz)$/.test(part)) : parts;
  return {
    helper: `__ptx_${own.join('_')}`,
    results: result.split('|'),
    operands,
    carries,
    flushes: isFloat && parts.includes('ftz'),
    saturates: isFloat && parts.includes('sat'),
    type,
  };
}

function withType(one: string, type: string): string {
  if (one === 'T') return type;
  return one === 'W' ? `${type[0] ?? ''}${Number(type.slice(1)) * 2}` : one;
}

/** The opcodes of a pattern; alternatives do not nest in each other, but in what may be left out. */
function expand(pattern: string): string[] {
  const optional = /^([^[]*)\[([^\]]*)\](.*)$/.exec(pattern);
  if (optional) {
    const [, before = '', inside = '', after = ''] = optional;
    return [...expand(before + after), ...expand(before + inside + after)];
  }
  const choice = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern);
  if (!choice) return [pattern];
  const [, before = '', inside = '', after = ''] = choice;
  return inside.split(',').flatMap((one) => expand(before + one + after));
}
