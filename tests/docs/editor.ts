import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../helpers/root.ts';
import { compilerOptions } from '../helpers/type-program.ts';

/** What an editor shows of a program: TypeScript's own answers. */
export interface Shown {
  readonly text: string;
  /** The type of the kernel, as it is shown on hover. */
  readonly hover: string;
  readonly errors: readonly { readonly start: number; readonly length: number; readonly message: string }[];
}

/** The first program of the README, with one array of another type: the kernel has pointers to float. */
export function wrongProgram(): string {
  const right = readFileSync(join(root, 'examples/01-hello.ts'), 'utf8');
  return right.replace('const b = Float32Array', 'const b = Float64Array');
}

/** Ask TypeScript's language service, which editors ask, for all errors of a program and for the type of a variable. */
export function ask(text: string, variable: string): Shown {
  const file = join(root, 'examples', 'shown.ts');
  const options = compilerOptions();
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
  };
  const service = ts.createLanguageService(host);
  const info = service.getQuickInfoAtPosition(file, text.indexOf(`${variable} =`));
  return {
    text,
    hover: ts.displayPartsToString(info?.displayParts),
    errors: service.getSemanticDiagnostics(file).map(({ start = 0, length = 0, messageText }) => ({
      start,
      length,
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    })),
  };
}

const LINE = 19;
const COLUMN = 7.8;
const LEFT = 58;
const TOP = 56;
const WIDTH = 860;
const PLAIN = '#e6edf3';
const DIM = '#8b949e';
const RED = '#ff7b72';
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^\/\//, DIM],
  [/^[`'"]/, '#a5d6ff'],
  [/^\d/, '#79c0ff'],
  [/^(?:const|new)$/, RED],
];

/** Draw the lines of a program from one to another that begin so, as an editor shows them. */
function draw({ text, hover, errors }: Shown, first: string, last: string): string {
  const from = text.split('\n').findIndex((line) => line.startsWith(first));
  const lines = text.split('\n');
  const to = lines.findIndex((line) => line.startsWith(last));
  const source = ts.createSourceFile('shown.ts', text, ts.ScriptTarget.Latest);
  const coloured = colouredLines(text);
  const body: string[] = [];
  let y = TOP;
  for (let i = from; i <= to; i++) {
    const parts = coloured[i] ?? [];
    body.push(row(y, [[String(i + 1).padStart(3), '#57606a']], 18), row(y, parts, LEFT));
    for (const { start, length } of errors) {
      const { line, character } = source.getLineAndCharacterOfPosition(start);
      if (line === i) body.push(wave(LEFT + character * COLUMN, y + 4, length * COLUMN));
    }
    y += LINE;
    if (lines[i]?.includes(`${hoverName(hover)} = `) === true) {
      const at = LEFT + (lines[i] ?? '').indexOf(hoverName(hover)) * COLUMN;
      body.push(box(at - 8, y - 12, hover.length * COLUMN + 16), row(y + 5, [[hover, PLAIN]], at));
      y += LINE + 10;
    }
  }
  y += 14;
  body.push(`<path d="M 1 ${y - 18} H ${WIDTH - 1}" stroke="#30363d"/>`);
  for (const { start, message } of errors) {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    const [head = '', ...rest] = wrapped(message, 98);
    const place = `${line + 1}:${character + 1} `;
    body.push(
      row(y, [
        [place, DIM],
        [head, RED],
      ]),
    );
    for (const more of rest) body.push(row((y += LINE), [[' '.repeat(place.length) + more, RED]]));
    y += LINE;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-labelledby="t">
  <title id="t">A wrong argument of a CUDA kernel, marked by TypeScript</title>
  <rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${y - 1}" rx="8" fill="#0d1117" stroke="#57606a"/>
  <g fill="#57606a"><circle cx="20" cy="20" r="5"/><circle cx="38" cy="20" r="5"/><circle cx="56" cy="20" r="5"/></g>
  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" xml:space="preserve" style="white-space: pre">
    ${body.filter((one) => one !== '').join('\n    ')}
  </g>
</svg>
`;
}

type Part = readonly [text: string, colour: string];

/** The tokens of each line with their colours. */
function colouredLines(text: string): readonly Part[][] {
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
function row(y: number, parts: readonly Part[], x = 18): string {
  const length = parts.reduce((sum, [text]) => sum + text.length, 0);
  if (length === 0) return '';
  const spans = parts.map(([text, colour]) => `<tspan fill="${colour}">${escape(text)}</tspan>`).join('');
  return `<text x="${x}" y="${y}" textLength="${(length * COLUMN).toFixed(1)}">${spans}</text>`;
}

function wave(x: number, y: number, width: number): string {
  const waves = Math.round(width / 6);
  return `<path d="M ${x.toFixed(1)} ${y}${' q 1.5 -3 3 0 t 3 0'.repeat(waves)}" fill="none" stroke="#f85149" stroke-width="1.2"/>`;
}

function box(x: number, y: number, width: number): string {
  return `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="25" rx="4" fill="#161b22" stroke="#57606a"/>`;
}

function hoverName(hover: string): string {
  return /(\w+):/.exec(hover)?.[1] ?? hover;
}

/** The lines of a text, none longer than a width where spaces allow. */
function wrapped(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${width}}(?= |$)`, 'g')) ?? []);
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** The picture of the README. */
export function editorPicture(): string {
  return draw(ask(wrongProgram(), 'multiplyThem'), 'const mod =', 'multiplyThem(');
}
