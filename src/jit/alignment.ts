import { scriptTokens, type ScriptToken } from './script-token.ts';
import { stemOf } from './written-name.ts';

// Where a tool has changed a function on the fly and nothing tells how, the function is found by its tokens: types and blanks are gone
// from it, constants folded, declarations joined, but most tokens are left, in their order. This is an alignment of two sequences with
// affine gaps (O. Gotoh, An improved algorithm for matching biological sequences, 1982): of all tokens of the function with those of
// some part of the file.

/** A function's text in the file that its author wrote. */
export interface Alignment {
  /** The place in the file of a character of the text. */
  readonly placeOf: (offset: number) => number;
}

/** Names tell more than brackets do. */
const NAME_SCORE = 16;
const OTHER_SCORE = 4;
/** A name that a tool has kept from another one: `x2` of `x`. */
const RENAMED_SCORE = 8;
/** Left out of the function, as types are: a long one costs little more than a short one. */
const OPEN_LEFT_OUT = 8;
const LEFT_OUT = 1;
/** Put in by a tool. */
const OPEN_PUT_IN = 8;
const PUT_IN = 2;
/** Of the text's names, so many may be missing in the file, and in a function that is where the package is called. */
const MAX_STRANGE = 0.2;
const MAX_STRANGE_AHEAD = 0.4;
/** A function where the package is called may be so much less like the text than the best one of the file. */
const MIN_LIKENESS = 0.85;
/** Words that tools put in for others, or for nothing. */
const PUT_IN_WORDS = new Set(['return', 'function', 'var', 'let', 'const', 'void', 'if', 'else']);
/** The function begins so many tokens behind the package's call: `jit(`, a signature, types. */
const MAX_AHEAD = 60;
/** A function is so many times as long as its text, at most: it has types. */
const ROOM = 3;
/** Cells of the table: some tenths of a second. */
const MAX_CELLS = 1 << 24;

/**
 * Find a function's text in a file.
 *
 * @param source - the file as its author wrote it
 * @param text - the function as it runs
 * @param call - where in the file the package is called. A function that begins there goes before one elsewhere that is as like.
 * @returns undefined where the file has no such function
 */
export function align(source: string, text: string, call: number): Alignment | undefined {
  const whole = scriptTokens(source);
  const made = withoutCounters(scriptTokens(text));
  // Most texts of other files are told apart by their names alone.
  const known = new Set(whole.map(wordOf));
  if (!isLike(made, (i) => known.has(wordOf(made[i] as ScriptToken)), MAX_STRANGE_AHEAD)) return undefined;
  const first = indexAt(whole, call);
  const near = whole.slice(first, first + MAX_AHEAD + ROOM * made.length);
  const file = around(whole, first, Math.floor(MAX_CELLS / made.length));
  const found = ahead(near, made) ?? anywhere(file, made, call);
  return found && { placeOf: placesOf(source, text, found.file, made, found.pairs) };
}

/** The function behind the package's call, if it is surely the one. */
function ahead(near: readonly ScriptToken[], made: readonly ScriptToken[]): Found | undefined {
  const found = likeOf(new Table(near, made).best(0, MAX_AHEAD), made, MAX_STRANGE_AHEAD);
  const most = made.reduce((sum, token) => sum + worthOf(token), 0);
  return found && found.weight >= most * likenessAt(near) ? found : undefined;
}

/** The function of the file that is most like the text; one behind the call may be somewhat less so. */
function anywhere(file: readonly ScriptToken[], made: readonly ScriptToken[], call: number): Found | undefined {
  const first = indexAt(file, call);
  const table = new Table(file, made);
  const best = table.best(0, file.length);
  const near = likeOf(table.best(first, first + MAX_AHEAD), made, MAX_STRANGE_AHEAD);
  const enough = (best?.weight ?? 0) * likenessAt(file.slice(first, first + 2));
  return near && near.weight >= enough ? near : likeOf(best, made, MAX_STRANGE);
}

/** The place of the call may be one of what a tool has made, where the file has no call. */
function likenessAt([name, next]: readonly ScriptToken[]): number {
  return name?.isName === true && /^[(<.]$/.test(next?.text ?? '') ? MIN_LIKENESS : 1;
}

function indexAt(tokens: readonly ScriptToken[], offset: number): number {
  const index = tokens.findIndex(({ start }) => start >= offset);
  return index < 0 ? tokens.length : index;
}

/** As many tokens as there is room for, with most of them behind the call. */
function around(tokens: readonly ScriptToken[], call: number, most: number): readonly ScriptToken[] {
  if (tokens.length <= most) return tokens;
  const from = Math.max(0, Math.min(call - Math.floor(most / 4), tokens.length - most));
  return tokens.slice(from, from + most);
}

/** What istanbul writes into a function: `cov_1().s[0]++`. */
function withoutCounters(tokens: readonly ScriptToken[]): readonly ScriptToken[] {
  const kept: ScriptToken[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as ScriptToken;
    if (!/^cov_\w+$/.test(token.text)) {
      kept.push(token);
      continue;
    }
    while (i + 1 < tokens.length && tokens[i + 1]?.text !== '+') i++;
    // Both signs, and what is behind them.
    i += 3;
  }
  return kept;
}

/** For each token of the text that of the file, or -1. */
type Pairs = Int32Array;

interface Found {
  readonly file: readonly ScriptToken[];
  /** What the tokens that are in both are worth. */
  readonly weight: number;
  readonly pairs: Pairs;
}

/** States of a cell: the last two tokens are a pair, or the file's was left out, or the text's put in. */
const PAIR = 0;
const LEFT = 1;
const PUT = 2;
const STATES = 3;
const NEVER = -(1 << 29);
/** Of each state, what it takes off behind each state before. */
const COSTS = Int32Array.of(
  ...[0, 0, 0],
  ...[OPEN_LEFT_OUT + LEFT_OUT, LEFT_OUT, OPEN_LEFT_OUT + LEFT_OUT],
  ...[OPEN_PUT_IN + PUT_IN, OPEN_PUT_IN + PUT_IN, PUT_IN],
);

class Table {
  readonly #file: readonly ScriptToken[];
  readonly #made: readonly ScriptToken[];
  readonly #width: number;
  /** From which state each state of each cell comes: two bits for each. */
  readonly #back: Uint8Array;
  /** Of the last row: the best score of each cell, its state, and the first token of the file that it has. */
  #scores = new Int32Array(0);
  #starts = new Int32Array(0);

  constructor(file: readonly ScriptToken[], made: readonly ScriptToken[]) {
    this.#file = file;
    this.#made = made;
    this.#width = file.length + 1;
    this.#back = new Uint8Array(this.#width * (made.length + 1));
    const ids = new Map([...file, ...made].map((token, i) => [wordOf(token), i]));
    const idOf = (token: ScriptToken): number => ids.get(wordOf(token)) ?? -1;
    this.#fill(Int32Array.from(file, idOf), Int32Array.from(made, idOf));
  }

  #fill(file: Int32Array, made: Int32Array): void {
    const width = this.#width;
    let [before, scores] = [new Int32Array(width * STATES).fill(NEVER), new Int32Array(width * STATES)];
    let [first, starts] = [new Int32Array(width * STATES), new Int32Array(width * STATES)];
    for (let x = 0; x < width; x++) {
      before[x * STATES + PAIR] = 0;
      first.fill(x, x * STATES, (x + 1) * STATES);
    }
    for (let y = 1; y <= made.length; y++) {
      this.#row(y, file, made[y - 1] as number, { before, scores, first, starts });
      [before, scores] = [scores, before];
      [first, starts] = [starts, first];
    }
    [this.#scores, this.#starts] = [before, first];
  }

  #row(y: number, file: Int32Array, token: number, { before, scores, first, starts }: Rows): void {
    const own = this.#made[y - 1] as ScriptToken;
    for (let x = 0; x < this.#width; x++) {
      const at = x * STATES;
      let back = 0;
      for (let state = PAIR; state <= PUT; state++) {
        scores[at + state] = NEVER;
        if (state !== PUT && (x === 0 || (state === PAIR && file[x - 1] !== token))) continue;
        const from = state === PUT ? at : at - STATES;
        const rows = state === LEFT ? scores : before;
        let [score, source] = [NEVER, PAIR];
        for (let old = PAIR; old <= PUT; old++) {
          const found = (rows[from + old] as number) - (COSTS[state * STATES + old] as number);
          if (found > score) [score, source] = [found, old];
        }
        scores[at + state] = state === PAIR ? score + worthOf(own, this.#file[x - 1]) : score;
        starts[at + state] = (state === LEFT ? starts : first)[from + source] as number;
        back |= source << (2 * state);
      }
      this.#back[y * this.#width + x] = back;
    }
  }

  /** The best alignment that begins with one of the file's tokens from `from` to `to`. */
  best(from: number, to: number): Found | undefined {
    let [best, cell] = [0, -1];
    for (let at = 0; at < this.#scores.length; at++) {
      const [start, score] = [this.#starts[at] as number, this.#scores[at] as number];
      if (start >= from && start < to && score > best) [best, cell] = [score, at];
    }
    return cell < 0 ? undefined : this.#trace(cell);
  }

  #trace(cell: number): Found {
    const pairs = new Int32Array(this.#made.length).fill(-1);
    let [x, y, state, weight] = [Math.floor(cell / STATES), this.#made.length, cell % STATES, 0];
    while (y > 0) {
      const back = ((this.#back[y * this.#width + x] as number) >> (2 * state)) & 3;
      if (state === PAIR) {
        pairs[y - 1] = x - 1;
        weight += worthOf(this.#made[y - 1] as ScriptToken, this.#file[x - 1]);
      }
      if (state !== PUT) x--;
      if (state !== LEFT) y--;
      state = back;
    }
    return { file: this.#file, weight, pairs };
  }
}

interface Rows {
  readonly before: Int32Array;
  readonly scores: Int32Array;
  readonly first: Int32Array;
  readonly starts: Int32Array;
}

function worthOf(made: ScriptToken, paired: ScriptToken | undefined = made): number {
  if (!made.isName) return OTHER_SCORE;
  return paired.text === made.text ? NAME_SCORE : RENAMED_SCORE;
}

/** What tokens of both texts have in common. */
function wordOf({ text, isName }: ScriptToken): string {
  return isName ? stemOf(text) : text;
}

function likeOf(found: Found | undefined, made: readonly ScriptToken[], most: number): Found | undefined {
  return found && isLike(made, (i) => found.pairs[i] !== -1, most) ? found : undefined;
}

/**
 * Whether a text has few names that the file lacks. One before a dot may be a tool's, of a module: `jit_1.cuda`.
 *
 * @param isIn - whether the file has the name of this number
 * @param most - the part of the names that may be missing
 */
function isLike(made: readonly ScriptToken[], isIn: (index: number) => boolean, most: number): boolean {
  const names = made.flatMap(({ isName, text }, i) => (isName && !PUT_IN_WORDS.has(text) ? [i] : []));
  const strange = names.filter((i) => !isIn(i) && made[i + 1]?.text !== '.').length;
  return names.length > 0 && strange <= most * names.length;
}

function placesOf(
  source: string,
  text: string,
  file: readonly ScriptToken[],
  made: readonly ScriptToken[],
  pairs: Pairs,
): (offset: number) => number {
  return (offset) => {
    const index = Math.max(
      0,
      made.findLastIndex(({ start }) => start <= offset),
    );
    const token = made[index] as ScriptToken;
    const paired = file[pairs[index] as number];
    if (paired) {
      const isSame = source.slice(paired.start, paired.end) === text.slice(token.start, token.end);
      return paired.start + (isSame ? Math.min(offset - token.start, token.end - token.start) : 0);
    }
    // What a tool has put here is in the place of what it left out, or is of what follows: `jit_1.` before a name.
    const before = pairs.subarray(0, index).findLast((at) => at >= 0) ?? -1;
    return (file[Math.min(before + 1, file.length - 1)] as ScriptToken).start;
  };
}
