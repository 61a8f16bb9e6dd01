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
      const entry = readEntry(ptx, after);
      if (entry) entries.set(entry.symbol, entry);
    } else {
      for (const name of readVariables(ptx, after)) globals.add(name);
    }
  }
  return { entries: [...entries.values()], target, version, globals: [...globals] };
}

const MARKS = /\/\/|\/\*|"|[{}]|\.(?:entry|target|version|global|const)\b/g;
const WORD = /[\w$%]/;
const SIZES: ReadonlyMap<string, number> = new Map([
  ...[8, 16, 32, 64, 128].flatMap((bits) => ['b', 'u', 's', 'f'].map((kind): [string, number] => [`${kind}${bits}`, bits / 8])),
  ['f16x2', 4],
  ['bf16', 2],
  ['bf16x2', 4],
  ['texref', 8],
  ['samplerref', 8],
  ['surfref', 8],
]);
// A parameter list or a declaration ends within this many characters, or it is none.
const LONGEST = 1_000_000;
