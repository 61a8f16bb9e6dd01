import { NAME } from '../ir/text.ts';

/** The device header's annotations of a symbol: `kernel`, `shared`, `constant`, `launch_bounds`, `cluster_dims`. */
export interface Annotation {
  readonly kind: string;
  readonly symbol: string;
  readonly line: number;
  readonly values: readonly number[];
}

const TEXT = /^@([\w.$]+) = private unnamed_addr constant \[\d+ x i8\] c"(\w+)\\00", section "llvm\.metadata"/;
const VALUES = /^@([\w.$]+) = private unnamed_addr constant \{.*\} \{(.*)\}, section "llvm\.metadata"/;
const ENTRY = new RegExp(`\\{ ptr @(${NAME}), ptr @(${NAME}), ptr @(?:${NAME}), i32 (\\d+), ptr (\\S+) \\}`, 'g');

/** Read `@llvm.global.annotations` of a module. */
export function readAnnotations(lines: readonly string[]): Annotation[] {
  const texts = new Map<string, string>();
  const values = new Map<string, number[]>();
  const found: Annotation[] = [];
  for (const line of lines) {
    if (!line.startsWith('@')) continue;
    const text = TEXT.exec(line);
    if (text) texts.set(text[1] ?? '', text[2] ?? '');
    const list = VALUES.exec(line);
    if (list)
      values.set(
        `@${list[1] ?? ''}`,
        [...(list[2] ?? '').matchAll(/i\d+ (\d+)/g)].map(([, value]) => Number(value)),
      );
  }
  const list = lines.find((line) => line.startsWith('@llvm.global.annotations')) ?? '';
  for (const [, symbol = '', kind = '', row, extra = ''] of list.matchAll(ENTRY)) {
    found.push({ kind: texts.get(kind) ?? '', symbol, line: Number(row), values: values.get(extra) ?? [] });
  }
  return found;
}
