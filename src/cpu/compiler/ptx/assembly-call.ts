import { closing, splitList, takeType } from '../ir/text.ts';

/** A statement in LLVM's text, as clang writes it. */
export interface AssemblyCall {
  readonly indent: string;
  /** `%22`, if the statement has outputs. */
  readonly result: string | undefined;
  /** Of the results: `void`, one type, a structure; and the types of its members. */
  readonly type: string;
  readonly results: readonly string[];
  readonly template: string;
  /** The letters of the constraints in the source, outputs first; empty where there are no operands. */
  readonly letters: readonly string[];
  readonly outputs: readonly string[];
  /** Constraints of the arguments; a number is that of an output in the same register. */
  readonly inputs: readonly string[];
  readonly arguments: readonly { readonly type: string; readonly value: string }[];
  /** What follows: metadata. */
  readonly rest: string;
  readonly debug: number | undefined;
}

const CALL =
  /^(\s+)(?:(%[-\w.$]+) = )?(?:tail )?call (.*?) asm (?:sideeffect |alignstack |inteldialect |unwind )*"([^"]*)", "([^"]*)"(\(.*)$/;

/** Read a line; undefined for other lines, and for a statement without an instruction, which only orders memory. */
export function readAssembly(line: string): AssemblyCall | undefined {
  const match = line.includes(' asm ') ? CALL.exec(line) : null;
  if (!match) return undefined;
  const [, indent = '', result, type = '', text = '', constraints = '', tail = ''] = match;
  const decoded = text.replace(/\\([\dA-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  const [whole = '', letters] = /^\/\*([a-zA-Z?,]*)\*\//.exec(decoded) ?? [];
  const template = decoded.slice(whole.length);
  const operands = constraints.split(',').filter((one) => one !== '' && !one.startsWith('~'));
  if (template.trim() === '' && operands.length === 0) return undefined;
  const end = closing(tail, 0);
  const debug = /!dbg !(\d+)/.exec(tail)?.[1];
  return {
    ...{ indent, result, type, template },
    results: type === 'void' ? [] : type.startsWith('{') ? splitList(type.slice(1, -1)) : [type],
    letters: letters === undefined ? [] : letters.split(','),
    outputs: operands.filter((one) => one.startsWith('=')),
    inputs: operands.filter((one) => !one.startsWith('=')),
    arguments: splitList(tail.slice(1, end - 1)).map((one) => {
      const { type: own, rest } = takeType(one);
      return { type: own, value: rest.replace(/^(?:(?:noundef|signext|zeroext) )*/, '') };
    }),
    rest: debug === undefined ? '' : `, !dbg !${debug}`,
    debug: debug === undefined ? undefined : Number(debug),
  };
}
