import { closing, NAME } from '../ir/text.ts';

/**
 * Replace the symbols of `extern __shared__` arrays by the address of the dynamic shared memory, which a call at the
 * start of the function returns. Constant expressions over the symbols become instructions at the start too.
 *
 * @param lines - the lines of one function, including its head and its closing brace
 */
export function replaceDynamicShared(lines: readonly string[], symbols: ReadonlySet<string>): readonly string[] {
  if (symbols.size === 0) return lines;
  const uses = new RegExp(
    `@(?:${[...symbols].map((name) => name.replace(/[.$]/g, '\\$&')).join('|')})(?![-\\w.$])`,
    'g',
  );
  if (!lines.some((line) => line.search(uses) >= 0)) return lines;
  const start: string[] = [`  ${ADDRESS} = call ptr @__rt_id_dynamic() memory(none)`];
  const expand = (line: string): string => {
    let text = line.replace(uses, ADDRESS);
    for (let found = expressionAt(text); found; found = expressionAt(text)) {
      const name = `${ADDRESS}.${start.length}`;
      const { op, inner, from, to } = found;
      start.push(`  ${name} = ${op} ${inner}`);
      text = text.slice(0, from) + name + text.slice(to);
    }
    return text;
  };
  const [head = '', ...body] = lines;
  const label = LABEL.test(body[0] ?? '') ? body.splice(0, 1) : [];
  const rest = body.map((line) => (line.search(uses) >= 0 ? expand(line) : line));
  return [head, ...label, ...start, ...rest];
}

const ADDRESS = '%rk.dynamic';
const LABEL = new RegExp(`^(?:${NAME}):`);
const EXPRESSION = /\b((?:getelementptr|ptrtoint|inttoptr|add|sub|trunc)(?: (?:inbounds|nuw|nsw|nusw))*) \(/g;

/** The innermost constant expression that has the address in it. */
function expressionAt(text: string): { op: string; inner: string; from: number; to: number } | undefined {
  let best: { op: string; inner: string; from: number; to: number } | undefined;
  for (const match of text.matchAll(EXPRESSION)) {
    const open = match.index + match[0].length - 1;
    const to = closing(text, open);
    const inner = text.slice(open + 1, to - 1);
    if (inner.includes(ADDRESS)) best = { op: match[1] ?? '', inner, from: match.index, to };
  }
  return best;
}
