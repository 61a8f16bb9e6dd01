import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../helpers/root.ts';

/** A phrase to avoid: docs/contributing.md, "Language", has the terms in its place. */
export interface Phrase {
  readonly pattern: RegExp;
  /** A sentence that has it. */
  readonly example: string;
  readonly instead: string;
  /** A sentence that looks like it and is right. */
  readonly right?: string;
}

const KINDS =
  'string|number|bigint|boolean|integer|array|function|object|promise|symbol|file|folder|device|handle|\\w+ handle|option';
const DOES = 'wants|names|keeps|has|calls|asks|needs|gives|takes|makes|closes|holds';

export const PHRASES: readonly Phrase[] = [
  {
    pattern: /;[^;.]{1,80} came(?=$|[\s.,'"`]*$)/,
    example: '`stream must be a Stream or null; ${value} came`',
    instead: 'stream must be a Stream or null, got 5',
    right: 'The first size is fixed; the others came later, with CUDA 12.',
  },
  {
    pattern: /\b(?:for|by|of|from) who\b(?!,? (?:is|are|was)\b[^.]*\?)/i,
    example: 'A handle, for who only keeps it alive',
    instead: 'Any handle, for code that only retains and releases it.',
  },
  {
    pattern: new RegExp(`(?:^|[.;:] )Who (?:${DOES})\\b(?![^.]*\\?)`),
    example: 'Who names a library wants that one.',
    instead: 'An explicit library path disables the fallback.',
    right: 'Who has the context? The error says who has it.',
  },
  { pattern: /\bwhoever\b/i, example: 'kept for whoever asks', instead: 'kept for later queries' },
  { pattern: /\b(?:by|to|for) whom\b/, example: 'what was written, and by whom', instead: 'each write and its thread' },
  { pattern: /\bof whatever kind\b/, example: 'A value, of whatever kind', instead: 'Any value' },
  {
    pattern: new RegExp(`(?<!\\b[Tt]here )\\bis no (?:${KINDS})\\b`),
    example: '5n is no stream handle',
    instead: '5n is not a stream handle',
    right: 'where there is no device',
  },
  {
    pattern: /(?<!\b(?:[Tt]here|[Tt]his) )\bis none\b/,
    example: 'where the value is none of them',
    instead: 'where the value is not one of them',
    right: 'where there is none',
  },
  {
    pattern: /\bone word too many\b/,
    example: "'x' is one word too many",
    instead: "unexpected argument 'x'",
  },
  {
    pattern: /\bwritten for, not tested\b/,
    example: 'Windows is written for, not tested.',
    instead: 'Windows is implemented but untested.',
  },
  {
    pattern: /\bsome times as long\b/,
    example: 'which takes some times as long',
    instead: 'several times slower',
  },
  {
    pattern: /\bha(?:s|ve) come so far\b/,
    example: 'when the stream has come so far',
    instead: 'in stream order',
  },
  {
    pattern: /\b(?:is|are) (?:its|their) numbers?\b/,
    example: 'Devices are their numbers',
    instead: 'Device ordinals',
  },
  {
    pattern: /\bhas to do with\b/,
    example: 'all that has to do with streams',
    instead: 'streams',
  },
];

/** A piece of text with its file and line. */
export interface Prose {
  readonly place: string;
  readonly text: string;
}

/** The phrases in a text that may not be there. */
export function phrasesIn({ place, text }: Prose): readonly string[] {
  const found = PHRASES.filter(({ pattern }) => pattern.test(text));
  return found.map(({ pattern, instead }) => `${place}: ${pattern.exec(text)?.[0] ?? ''} (like: ${instead})`);
}

/** What is read: comments, strings, titles of tests, pages. Code in pages and doc comments is left out. */
export function allProse(): readonly Prose[] {
  const code = ['src', 'tests', 'examples'].flatMap((folder) => filesIn(folder, /\.(?:ts|js|mjs)$/));
  const pages = ['README.md', 'CHANGELOG.md', 'tests/README.md', ...filesIn('docs', /\.md$/), 'examples/README.md'];
  return [...code.filter((path) => !OWN.test(path)).flatMap(proseOfCode), ...pages.flatMap(proseOfPage)];
}

/** The phrases themselves. */
const OWN = /^tests\/docs\/language\./;

function filesIn(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => ending.test(path) && !path.startsWith('docs/api/'));
}

function proseOfPage(path: string): readonly Prose[] {
  const fenced = readFileSync(join(root, path), 'utf8').replace(/^ *```.*?^ *```$/gms, (code) =>
    code.replace(/.+/g, ''),
  );
  return paragraphs(path, 1, withoutCode(fenced));
}

/** Comments, and strings; of tests the titles alone, since other strings are what programs print. */
function proseOfCode(path: string): readonly Prose[] {
  const text = readFileSync(join(root, path), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const comments = new Map<number, number>();
  const found: Prose[] = [];
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) comments.set(pos, end);
    if (isProse(node, path))
      found.push({ place: `${path}:${lineOf(node.getStart())}`, text: node.getText().slice(1, -1) });
    for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(file);
  for (const [pos, end] of comments) {
    const bare = text.slice(pos, end).replace(/^ *(?:\/\*\*?|\*\/|\*|\/\/) ?/gm, '');
    found.push(...paragraphs(path, lineOf(pos), withoutCode(bare.replace(/```.*?```/gs, ''))));
  }
  return found;
}

function isProse(node: ts.Node, path: string): boolean {
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node) && !ts.isTemplateExpression(node)) {
    return false;
  }
  // Of a module, a type, or a C source.
  if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent) || node.getText().includes('\n')) {
    return false;
  }
  if (!path.startsWith('tests/')) return true;
  return ts.isCallExpression(node.parent) && /\b(?:test|it|describe)\b/.test(node.parent.expression.getText());
}

/** Code in a sentence: names are not words. */
function withoutCode(text: string): string {
  return text.replace(/`[^`\n]*`/g, '`x`');
}

function paragraphs(path: string, first: number, text: string): readonly Prose[] {
  let line = first;
  return text.split(/(\n(?: *\n)+|\n(?=[|@-] ?))/).flatMap((part) => {
    const place = `${path}:${line}`;
    line += part.split('\n').length - 1;
    return part.trim() === '' ? [] : [{ place, text: part.trim().replace(/\s+/g, ' ') }];
  });
}
