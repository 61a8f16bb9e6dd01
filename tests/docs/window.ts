import ts from 'typescript';

// What pictures of editors are made of: code in a dark window.

export const LINE = 19;
export const COLUMN = 7.8;
export const LEFT = 58;
export const TOP = 56;
export const WIDTH = 860;
export const PLAIN = '#e6edf3';
export const DIM = '#8b949e';
export const RED = '#ff7b72';
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^\/\//, DIM],
  [/^[`'"]/, '#a5d6ff'],
  [/^\d/, '#79c0ff'],
  [/^(?:const|new)$/, RED],
];

export type Part = readonly [text: string, colour: string];

/** The tokens of each line with their colours. */
export function colouredLines(text: string): readonly Part[][] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  const lines: Part[][] = [[]];
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    const token = scanner.getTokenText();
    const colour = COLOURS.find(([begin]) => begin.test(token))?.[1] ?? PLAIN;
    for (const [i, piece] of token.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (piece === '') continue;
      const line = lines.at(-1) ?? [];
      const [before, last] = line.at(-1) ?? [];
      if (before !== undefined && (last === colour || piece.trim() === ''))
        line.splice(-1, 1, [before + piece, last ?? colour]);
      else line.push([piece, colour]);
    }
  }
  return lines;
}

/** A line of text; its length is set, so that columns are where they are counted whatever the font is. */
export function row(y: number, parts: readonly Part[], x = 18): string {
  const length = parts.reduce((sum, [text]) => sum + text.length, 0);
  if (length === 0) return '';
  const spans = parts.map(([text, colour]) => `<tspan fill="${colour}">${escape(text)}</tspan>`).join('');
  return `<text x="${x}" y="${y}" textLength="${(length * COLUMN).toFixed(1)}">${spans}</text>`;
}

/** A window with something drawn in it; what is empty is left out. */
export function windowWith(title: string, height: number, body: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t">
  <title id="t">${title}</title>
  <rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#57606a"/>
  <g fill="#57606a"><circle cx="20" cy="20" r="5"/><circle cx="38" cy="20" r="5"/><circle cx="56" cy="20" r="5"/></g>
  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" xml:space="preserve" style="white-space: pre">
    ${body.filter((one) => one !== '').join('\n    ')}
  </g>
</svg>
`;
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
