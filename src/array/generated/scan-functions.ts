import { indent } from '../kernel/indent.ts';
import type { Accumulator } from '../scan/accumulator.ts';
import { itemAccumulator, itemWordsText } from '../scan/item-accumulator.ts';
import type { Extent, Language } from './element.ts';
import type { KernelArguments } from './kernel-arguments.ts';
import { statements, userText, type UserTextOptions } from './user-text.ts';

/** A value of an array that a scan's expressions name: the one at the item's place, or the one before it. */
export interface FetchExpression {
  /** The name that expressions have for it. */
  readonly name: string;
  /** The vector among the parameters. */
  readonly array: string;
  readonly offset: 0 | -1;
}

/** What a user has written of a scan. */
export interface ScanWriting extends UserTextOptions {
  readonly name: string;
  readonly parameters: KernelArguments;
  /** The item's type in each language, and what it takes. */
  readonly type: Readonly<Record<Language, string>>;
  readonly extent: Readonly<Record<Language, Extent | undefined>>;
  readonly inputExpr: string;
  readonly scanExpr: string;
  /** Undefined where no item changes nothing: then parts without an item are left out. */
  readonly neutral: string | undefined;
  readonly outputStatement: string;
  readonly isSegmentStartExpr: string | undefined;
  readonly fetches: readonly FetchExpression[];
}

/** What kernels call of a user's texts. */
export interface ScanFunctions {
  readonly head: string;
  readonly preamble: string;
  readonly accumulator: Accumulator;
  readonly item: (i: string) => string;
  readonly write: (i: string, item: string, previous: string, last: string) => string;
}

/** The bit of a mark that says that there is a value. */
const HAS = '0x80000000u';

/** Whether the statement of a scan takes what the items before come to, or all. */
export function namesOf(outputStatement: string): { readonly needsPrevious: boolean; readonly needsLast: boolean } {
  return { needsPrevious: /\bprev_item\b/.test(outputStatement), needsLast: /\blast_item\b/.test(outputStatement) };
}

/**
 * A user's texts as functions, whose parameters have the user's names. Items with segments are pairs: a value, and how many segments
 * begin among what it was made of; so one that begins a segment leaves out what came before it, in whatever parts a scan puts them
 * together, and each knows the number of its segment. Where no item changes nothing, a pair says whether it has a value.
 */
export function scanFunctions(writing: ScanWriting, language: Language): ScanFunctions {
  const { name, parameters, scanExpr, neutral, inputExpr, outputStatement, isSegmentStartExpr, fetches } = writing;
  const type = writing.type[language];
  const { byteLength, alignment } = writing.extent[language] ?? { byteLength: 0, alignment: 1 };
  const formals = parameters.formals(language);
  const actuals = parameters.actuals(language);
  const own = [scanExpr, neutral ?? '', inputExpr, outputStatement, isSegmentStartExpr ?? ''];
  const { head, preamble } = userText(language, writing, [formals, type, ...own]);
  const { needsPrevious, needsLast } = namesOf(outputStatement);
  const fetched = fetches.map((fetch) => `  ${fetchText(fetch, parameters, language)}\n`).join('');
  const items = ['item', 'prev_item', 'last_item'].map((each) => `const ${type} ${each}`);
  const isPair = isSegmentStartExpr !== undefined || neutral === undefined;
  const pair = `${name}_part_t`;
  const text = `
FN ${type} ${name}_neutral() {
${neutral === undefined ? `  ${type} nothing = {0};\n  return nothing;` : `  return ${neutral};`}
}
FN ${type} ${name}_scan(const ${type} a, const ${type} b, const bool across_seg_boundary) {
  return ${scanExpr};
}
FN ${type} ${name}_input(${list('const i64 i', formals)}) {
${fetched}  return ${inputExpr};
}
FN void ${name}_output(${list('const i64 i', 'const i64 N', ...items, ...segment('const u32 rk_segment'), formals)}) {
${indent(statements(outputStatement))}
}
${isPair ? pairText() : ''}${itemWordsText(isPair ? { type: pair, size: pairSize() } : { type, size: byteLength })}`;
  const none = `${name}_neutral()`;
  const input = (i: string): string => `${name}_input(${list(i, actuals)})`;
  const starts = (i: string): string => `${name}_starts(${list(i, actuals)})`;
  const value = isPair ? '.value' : '';
  return {
    head,
    preamble: preamble + text,
    accumulator: itemAccumulator({
      type: isPair ? pair : type,
      size: isPair ? pairSize() : byteLength,
      neutral: isPair ? `${name}_part(${none}, 0)` : none,
      combine: (a, b) => (isPair ? `${name}_join(${a}, ${b})` : `${name}_scan(${a}, ${b}, false)`),
    }),
    item: (i) => (isPair ? `${name}_part(${input(i)}, ${mark(i)})` : input(i)),
    write: (i, item, previous, last) => {
      const before =
        isSegmentStartExpr === undefined ? `${previous}${value}` : `${starts(i)} ? ${none} : ${previous}${value}`;
      const parts = [
        i,
        'item_count',
        `${item}${value}`,
        needsPrevious ? before : none,
        needsLast ? `${last}${value}` : none,
        ...segment(`(${item}.mark & ~${HAS}) - 1`),
      ];
      return `${name}_output(${list(...parts, actuals)});`;
    },
  };

  /** The mark of one item. */
  function mark(i: string): string {
    const has = neutral === undefined ? [HAS] : [];
    return [...has, ...(isSegmentStartExpr === undefined ? [] : [starts(i)])].join(' | ');
  }

  /** The number of the segment, where there are some. */
  function segment(text: string): string[] {
    return isSegmentStartExpr === undefined ? [] : [text];
  }

  function pairSize(): number {
    return roundUp(roundUp(byteLength, 4) + 4, Math.max(4, alignment));
  }

  function pairText(): string {
    const isAware = /\bacross_seg_boundary\b/.test(scanExpr);
    const joined = isAware
      ? `${name}_scan(a.value, b.value, starts != 0)`
      : `starts != 0 ? b.value : ${name}_scan(a.value, b.value, false)`;
    const empty = '  if (b.mark == 0) return a;\n  if (a.mark == 0) return b;\n';
    const lines = `${neutral === undefined ? empty : ''}  const u32 starts = b.mark & ~${HAS};
  return ${name}_part(${joined}, (a.mark | b.mark) & ${HAS} | ((a.mark & ~${HAS}) + starts));`;
    const startsText = `FN u32 ${name}_starts(${list('const i64 i', formals)}) {
${fetched}  return (${isSegmentStartExpr ?? '0'}) ? 1 : 0;
}
`;
    return `
typedef struct {
  ${type} value;
  u32 mark;
} ${pair};
FN ${pair} ${name}_part(const ${type} value, const u32 mark) {
  ${pair} part;
  part.value = value;
  part.mark = mark;
  return part;
}
FN ${pair} ${name}_join(const ${pair} a, const ${pair} b) {
${lines}
}
${isSegmentStartExpr === undefined ? '' : startsText}`;
  }
}

function list(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function roundUp(bytes: number, to: number): number {
  return Math.ceil(bytes / to) * to;
}

/** The one before the first place is the first one. */
function fetchText({ name, array, offset }: FetchExpression, parameters: KernelArguments, language: Language): string {
  const type = parameters.named(array)?.element[language] ?? '';
  const place = offset === 0 ? 'i' : 'i > 0 ? i - 1 : 0';
  return `const ${type} ${name} = ${array}[${place}];`;
}
