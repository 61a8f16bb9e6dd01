import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../helpers/root.ts';
import { compilerOptions } from '../helpers/type-program.ts';
import { colouredLines, COLUMN, DIM, LEFT, LINE, PLAIN, RED, row, TOP, WIDTH, windowWith } from './window.ts';

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
  return windowWith('A wrong argument of a CUDA kernel, marked by TypeScript', y, body);
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

/** The picture of the README. */
export function editorPicture(): string {
  return draw(ask(wrongProgram(), 'multiplyThem'), 'const mod =', 'multiplyThem(');
}
