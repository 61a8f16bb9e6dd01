import type { CpuSite } from '../../abi/program.ts';
import { NAME } from '../ir/text.ts';

const GLOBAL = new RegExp(`^(@(?:${NAME})) = private unnamed_addr (?:global|constant) (.*)$`);
const DESCRIPTION = /\{ i16 (-?\d+), i16 (-?\d+), \[\d+ x i8\] c"'(.*?)'\\00" \}/;
/** Behind the type: its alignment and the kind of the use. Kinds above reads and writes only compute addresses. */
const ONLY_COMPUTED = /, i8 \d+, i8 (?:[2-9]|\d\d) \}$/;
const INTEGER = 0;

/**
 * The subject of a sanitizer check, by the variable that the check passes: the type that is shifted, indexed or
 * accessed. Undefined where an address is only computed, as `offsetof` does from null.
 */
export function readSanitizerData(lines: readonly string[]): (data: string) => CpuSite['object'] {
  const globals = new Map<string, string>();
  for (const line of lines) {
    const match = line.startsWith('@') ? GLOBAL.exec(line) : undefined;
    if (match) globals.set(match[1] ?? '', match[2] ?? '');
  }
  return (data) => {
    if (ONLY_COMPUTED.test(globals.get(data) ?? '')) return undefined;
    // Behind the place, the first type.
    const type = /\}, ptr (@[^,\s}]+)/.exec(globals.get(data)?.replace(/^\{.*?\} (?=\{)/, '') ?? '')?.[1];
    const [, kind, info, name = ''] = DESCRIPTION.exec(globals.get(type ?? '') ?? '') ?? [];
    if (kind === undefined) return undefined;
    return { name, bytes: Number(kind) === INTEGER ? 2 ** (Number(info) >> 1) / 8 : 0 };
  };
}
