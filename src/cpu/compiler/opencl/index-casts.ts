import { editModule, parseModule } from '../ir/module.ts';

const LEFT = /^( +)(%[-\w.$"]+) = shl (?:nuw |nsw )*i64 (%[-\w.$"]+), 32(, !dbg !\d+)?$/;

/**
 * Replace LLVM's pair of shifts for a `size_t` that is converted to `int` and used as an index by a pair of casts: only
 * through casts the analysis of slopes sees that the index rises with the work-item.
 */
export function withIndexCasts(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('= ashr exact i64 '))) return lines;
  return editModule(parseModule(lines), ({ head, body }) => [head, ...castIn(body), '}']);
}

function castIn(body: readonly string[]): string[] {
  const lines = [...body];
  const code = body.join('\n');
  lines.forEach((line, i) => {
    const [, indent = '', shifted = '', value = '', debug = ''] = LEFT.exec(line) ?? [];
    if (shifted === '') return;
    const name = shifted.replace(/[.$]/g, '\\$&');
    const uses = code.match(new RegExp(`${name}(?![-\\w.$])`, 'g')) ?? [];
    const back = new RegExp(`^( +%[-\\w.$"]+) = ashr exact i64 ${name}, 32(, !dbg !\\d+)?$`);
    const end = lines.findIndex((one) => back.test(one));
    if (uses.length !== 2 || end < 0) return;
    lines[i] = `${indent}${shifted} = trunc i64 ${value} to i32${debug}`;
    lines[end] = (lines[end] ?? '').replace(back, `$1 = sext i32 ${shifted} to i64$2`);
  });
  return lines;
}
