import { PtxError } from './ptx-error.ts';

/** A piece of a template. */
export interface PtxToken {
  readonly kind: 'word' | 'suffix' | 'number' | 'operand' | 'sign';
  /** Of an operand its number alone. */
  readonly text: string;
}

// LLVM writes `$0` for an operand and `$$` for a dollar.
const TOKEN =
  /(?<skip>\s+|\/\/[^\n]*|\/\*[^]*?\*\/)|\$(?:(?<operand>\d+)|\{(?<braced>\d+)(?::\w+)?\})|(?<number>0[fF][\da-fA-F]{8}\b|0[dD][\da-fA-F]{16}\b|0[xX][\da-fA-F]+U?|0[bB][01]+U?|\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+U?)|(?<word>(?:[A-Za-z_]|%+[A-Za-z_]|\$\$)(?:\w|\$\$)*)|\.(?<suffix>\w+(?:::\w+)*)|(?<sign>[,;{}[\]()@!+\-|:=<>*/&~])/gy;

/** The tokens of a template as LLVM's text has it. */
export function readTokens(template: string): PtxToken[] {
  const tokens: PtxToken[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < template.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(template)?.groups;
    if (!groups) throw new PtxError(`unknown character '${template[at] ?? ''}' in '${excerpt(template, at)}'`);
    if (groups['skip'] !== undefined) continue;
    const operand = groups['operand'] ?? groups['braced'];
    if (operand !== undefined) tokens.push({ kind: 'operand', text: operand });
    for (const kind of ['number', 'word', 'suffix', 'sign'] as const) {
      const text = groups[kind];
      if (text !== undefined) tokens.push({ kind, text: text.replace(/\$\$/g, '$').replace(/^%+/, '%') });
    }
  }
  return tokens;
}

function excerpt(template: string, at: number): string {
  return (
    template
      .slice(at, at + 24)
      .split('\n', 1)[0]
      ?.trim() ?? ''
  );
}
