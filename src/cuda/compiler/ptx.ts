export interface PtxParameter {
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  /** From the start of the parameter block, in bytes. */
  readonly offset: number;
  /** `u64`; undefined for an array of bytes, which is what structs and vectors are. */
  readonly scalar: string | undefined;
}

export interface PtxEntry {
  readonly symbol: string;
  readonly parameters: readonly PtxParameter[];
}

export interface Ptx {
  /** Entries with a parameter that cannot be read are left out. */
  readonly entries: readonly PtxEntry[];
  /** `sm_90a` */
  readonly target: string | undefined;
  /** `8.0` */
  readonly version: string | undefined;
  /** Names of `.global` and `.const` variables. */
  readonly globals: readonly string[];
}

/** The parts of a PTX text that its callers see. Linear, never throws. */
export function parsePtx(ptx: string): Ptx {
  const entries = new Map<string, PtxEntry>();
  const globals = new Set<string>();
  let target: string | undefined;
  let version: string | undefined;
  let body = 0;
  MARKS.lastIndex = 0;
  for (let match = MARKS.exec(ptx); match; match = MARKS.exec(ptx)) {
    const [mark] = match;
    const after = MARKS.lastIndex;
    if (mark === '//') MARKS.lastIndex = endOf(ptx, '\n', after);
    else if (mark === '/*') MARKS.lastIndex = endOf(ptx, '*/', after);
    else if (mark === '"') MARKS.lastIndex = endOf(ptx, '"', after);
    else if (mark === '{') body++;
    else if (mark === '}') body = Math.max(0, body - 1);
    // `ld.global` and the like are instructions.
    else if (body > 0 || WORD.test(ptx[match.index - 1] ?? '')) continue;
    else if (mark === '.version') version ??= valueAt(ptx, after);
    else if (mark === '.target') target ??= valueAt(ptx, after);
    else if (mark === '.entry') {
      const { entry, end } = readEntry(ptx, after);
      if (entry) entries.set(entry.symbol, entry);
      MARKS.lastIndex = end;
    } else {
      for (const name of readVariables(ptx, after)) globals.add(name);
    }
  }
  return { entries: [...entries.values()], target, version, globals: [...globals] };
}

const MARKS = /\/\/|\/\*|"|[{}]|\.(?:entry|target|version|global|const)\b/g;
const WORD = /[\w$%]/;
const SIZES: ReadonlyMap<string, number> = new Map([
  ...[8, 16, 32, 64, 128].flatMap((bits) =>
    ['b', 'u', 's', 'f'].map((kind): [string, number] => [`${kind}${bits}`, bits / 8]),
  ),
  ['f16x2', 4],
  ['bf16', 2],
  ['bf16x2', 4],
  ['texref', 8],
  ['samplerref', 8],
  ['surfref', 8],
]);
const TOKEN = /\.\w+|[\w$%]+|[[\](),]/y;
// Real declarations have fewer; text that never ends one must not be read to its end each time.
const MAX_ATTRIBUTES = 16;
const NAME = /^[\w$%]+$/;
const INTEGER = /^\d{1,15}$/;

/** `name(.param …, .param …)` */
function readEntry(ptx: string, from: number): { entry: PtxEntry | undefined; end: number } {
  const symbol = tokenAt(ptx, from);
  const open = tokenAt(ptx, symbol.end);
  if (!NAME.test(symbol.text)) return { entry: undefined, end: from };
  if (open.text !== '(') return { entry: { symbol: symbol.text, parameters: [] }, end: symbol.end };
  const groups: string[][] = [[]];
  for (let token = tokenAt(ptx, open.end); ; token = tokenAt(ptx, token.end)) {
    // What a list cannot hold shows that it was never closed.
    if (token.text === '' || token.text === '(' || token.text === '.entry') return { entry: undefined, end: open.end };
    if (token.text === ')') {
      const parameters = layOut(groups.length === 1 && groups[0]?.length === 0 ? [] : groups.map(readParameter));
      return { entry: parameters && { symbol: symbol.text, parameters }, end: token.end };
    }
    if (token.text === ',') groups.push([]);
    else groups.at(-1)?.push(token.text);
  }
}

function layOut(parameters: readonly (Omit<PtxParameter, 'offset'> | undefined)[]): PtxParameter[] | undefined {
  const laid: PtxParameter[] = [];
  let offset = 0;
  for (const parameter of parameters) {
    if (!parameter) return undefined;
    offset = Math.ceil(offset / parameter.align) * parameter.align;
    laid.push({ ...parameter, offset });
    offset += parameter.size;
  }
  return laid;
}

/** `.param .align 8 .b8 name[16]`, `.param .u64 .ptr .global .align 4 name` */
function readParameter(tokens: readonly string[]): Omit<PtxParameter, 'offset'> | undefined {
  let i = 0;
  const take = (text: string): boolean => tokens[i] === text && ++i > 0;
  if (!take('.param')) return undefined;
  const aligned = take('.align') ? integer(tokens[i++]) : undefined;
  const lanes = take('.v2') ? 2 : take('.v4') ? 4 : 1;
  const type = tokens[i++]?.slice(1) ?? '';
  const unit = SIZES.get(type);
  if (unit === undefined) return undefined;
  if (take('.ptr')) {
    // The alignment after .ptr is the pointee's.
    while (/^\.(?:const|global|local|shared|generic)$/.test(tokens[i] ?? '')) i++;
    if (take('.align')) i++;
  }
  if (!NAME.test(tokens[i++] ?? '')) return undefined;
  let size = unit * lanes;
  const isArray = tokens[i] === '[';
  while (take('[')) {
    size *= integer(tokens[i++]) ?? NaN;
    if (!take(']')) return undefined;
  }
  const align = aligned ?? unit * lanes;
  if (i !== tokens.length || !Number.isSafeInteger(size) || align < 1) return undefined;
  return { size, align, scalar: isArray || lanes > 1 ? undefined : type };
}

/** `.align 4 .b8 a[16], b = {…}` */
function readVariables(ptx: string, from: number): string[] {
  let token = tokenAt(ptx, from);
  let typed = false;
  for (let left = MAX_ATTRIBUTES; !typed || token.text.startsWith('.'); left--) {
    if (left === 0) return [];
    if (token.text === '.align' || token.text === '[') {
      token = tokenAt(ptx, tokenAt(ptx, token.end).end);
      if (token.text === ']') token = tokenAt(ptx, token.end);
      continue;
    }
    const type = token.text.slice(1);
    if (!token.text.startsWith('.') || type.endsWith('ref')) return [];
    typed ||= SIZES.has(type);
    token = tokenAt(ptx, token.end);
    if (type === 'attribute') token = afterList(ptx, token);
  }
  const names: string[] = [];
  while (NAME.test(token.text)) {
    names.push(token.text);
    token = tokenAt(ptx, token.end);
    while (/^(?:[[\]]|\d+)$/.test(token.text)) token = tokenAt(ptx, token.end);
    if (token.text !== ',') break;
    token = tokenAt(ptx, token.end);
  }
  return names;
}

interface Found {
  /** Empty at the end and at anything unexpected. */
  readonly text: string;
  readonly end: number;
}

/** What follows `(…)`, if `open` is its first token. */
function afterList(ptx: string, open: Found): Found {
  let token = open;
  for (let depth = 0, left = MAX_ATTRIBUTES; left > 0 && token.text !== ''; left--) {
    if (token.text === '(') depth++;
    else if (token.text === ')') depth--;
    token = tokenAt(ptx, token.end);
    if (depth <= 0) break;
  }
  return token;
}

function tokenAt(ptx: string, from: number): Found {
  let at = from;
  for (;;) {
    while (isBlank(ptx.charCodeAt(at))) at++;
    if (ptx.startsWith('//', at)) at = endOf(ptx, '\n', at);
    else if (ptx.startsWith('/*', at)) at = endOf(ptx, '*/', at + 2);
    else break;
  }
  TOKEN.lastIndex = at;
  const text = TOKEN.exec(ptx)?.[0] ?? '';
  return { text, end: at + text.length };
}

function valueAt(ptx: string, from: number): string | undefined {
  return /^[ \t]*([\w.]+)/.exec(ptx.slice(from, from + 100))?.[1];
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && INTEGER.test(text) ? Number(text) : undefined;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function endOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}
