import { readLine, type FilePlace } from '../../../core/line-directive.ts';
import type { CpuPlace } from '../../abi/program.ts';
import { HEADER_FOLDER } from '../headers.ts';

/** Where instructions come from, by the numbers of their debug locations. */
export interface DebugInfo {
  /** The place of an instruction, from the user's code outwards, without inlined code of the built-in headers. */
  readonly placeOf: (location: number | undefined) => CpuPlace | undefined;
  /** The place of a function, by the number in its head. */
  readonly functionAt: (subprogram: number) => CpuPlace | undefined;
  /** Numbers of debug metadata, which the code generator need not see. */
  readonly nodes: ReadonlySet<number>;
}

const NODE = /^!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$/;
const TUPLE = /^!(\d+) = (?:distinct )?!\{((?:null|!\d+)(?:, (?:null|!\d+))*)\}$/;
const FAR = 100;
// A precompiled header has absolute paths.
const BUILT_IN = new RegExp(`^/?${HEADER_FOLDER}/`);

/** Read the debug metadata of a module. */
export function readDebugInfo(lines: readonly string[]): DebugInfo {
  const nodes = new Map<number, { kind: string; text: string }>();
  for (const line of lines) {
    const match = line.startsWith('!') ? NODE.exec(line) : undefined;
    if (match) nodes.set(Number(match[1]), { kind: match[2] ?? '', text: match[3] ?? '' });
  }
  for (const tuple of tuplesOf(lines, nodes)) nodes.set(tuple, { kind: 'tuple', text: '' });
  const link = (text: string, field: string): number | undefined => {
    const found = new RegExp(`\\b${field}: !(\\d+)`).exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const number = (text: string, field: string): number =>
    Number(new RegExp(`\\b${field}: (\\d+)`).exec(text)?.[1] ?? 0);
  const quoted = (text: string, field: string): string =>
    unescape(new RegExp(`\\b${field}: "((?:[^"\\\\]|\\\\.)*)"`).exec(text)?.[1] ?? '');
  const placeIn = (file: string, text: string): FilePlace => {
    const own = readLine(file, number(text, 'line'));
    const column = number(text, 'column');
    // A directive's column is that of the text behind it, whatever stands before that in the line.
    return own.file === file && column > 0 ? { ...own, column } : own;
  };
  const read = (location: number | undefined, depth: number): CpuPlace | undefined => {
    const node = location === undefined ? undefined : nodes.get(location);
    if (node?.kind !== 'DILocation' || depth > FAR) return undefined;
    const outer = read(link(node.text, 'inlinedAt'), depth + 1);
    let scope = link(node.text, 'scope');
    for (let left = FAR; scope !== undefined && nodes.get(scope)?.kind !== 'DISubprogram' && left > 0; left--) {
      scope = link(nodes.get(scope)?.text ?? '', 'scope');
    }
    const subprogram = nodes.get(scope ?? -1)?.text ?? '';
    const file = quoted(nodes.get(link(subprogram, 'file') ?? -1)?.text ?? '', 'filename');
    if (BUILT_IN.test(file) && outer) return outer;
    return {
      ...placeIn(file, node.text),
      function: quoted(subprogram, 'name'),
      ...(outer ? { inlinedAt: outer } : {}),
    };
  };
  const functionAt = (subprogram: number): CpuPlace | undefined => {
    const { kind, text } = nodes.get(subprogram) ?? { kind: '', text: '' };
    if (kind !== 'DISubprogram') return undefined;
    const file = quoted(nodes.get(link(text, 'file') ?? -1)?.text ?? '', 'filename');
    return { ...readLine(file, number(text, 'line')), function: quoted(text, 'name') };
  };
  return { placeOf: (location) => read(location, 0), functionAt, nodes: new Set(nodes.keys()) };
}

/** Lists of debug metadata: of a function's parameters, of a structure's fields. */
function tuplesOf(lines: readonly string[], nodes: ReadonlyMap<number, unknown>): Set<number> {
  const lists = new Map<number, readonly number[]>();
  for (const line of lines) {
    const [, number, list] = line.startsWith('!') ? (TUPLE.exec(line) ?? []) : [];
    if (list === undefined) continue;
    lists.set(
      Number(number),
      list.split(', ').flatMap((one) => (one === 'null' ? [] : [Number(one.slice(1))])),
    );
  }
  const found = new Set<number>();
  for (let before = -1; found.size > before;) {
    before = found.size;
    for (const [number, list] of lists) {
      if (list.length > 0 && list.every((one) => nodes.has(one) || found.has(one))) found.add(number);
    }
  }
  return found;
}

/** A module's line without its debug location, and '' for debug metadata. */
export function withoutDebug(line: string, { nodes }: DebugInfo): string {
  if (line.startsWith('!')) {
    if (line.startsWith('!llvm.dbg.cu')) return '';
    const own = /^!(\d+) = /.exec(line)?.[1];
    if (own !== undefined && nodes.has(Number(own))) return '';
    // Loops name the locations of their start and end.
    return line.replace(/, !(\d+)(?=[,}])/g, (text, node: string) => (nodes.has(Number(node)) ? '' : text));
  }
  // A variable may have several.
  return line.includes('!dbg') ? line.replace(/,? !dbg !\d+/g, '') : line;
}

function unescape(text: string): string {
  return text.replace(/\\([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
