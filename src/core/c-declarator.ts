import type { Token } from './c-token.ts';
import { joinTokens } from './c-token.ts';
import type { AddressSpace, Dialect, Qualifiers, TypeNode } from './c-type.ts';
import {
  arrayOf,
  builtinType,
  functionOf,
  memberOf,
  namedType,
  parameterNode,
  placeIn,
  pointerTo,
  qualify,
  referenceTo,
  spell,
  Unreadable,
} from './c-type.ts';

/** What a name means where it is read. */
export interface Names {
  readonly dialect: Dialect;
  /** The typedefs that are seen through. */
  readonly aliases: ReadonlyMap<string, TypeNode>;
  /** Names that the text defines itself; they override the dialect's. */
  readonly hidden: (name: string) => boolean;
}

export interface Declarator {
  readonly name: string | undefined;
  readonly node: TypeNode;
}

/** Words with no say in a type. */
export const NOISE: ReadonlySet<string> = new Set(
  `restrict __restrict __restrict__ register __grid_constant__ typename __extension__ static inline extern
  read_only __read_only write_only __write_only read_write __read_write`.split(/\s+/),
);

/** Reads one declaration such as `const float *a` or `float (*)[3]`; throws {@link Unreadable}. */
export function readDeclarator(tokens: readonly Token[], names: Names): Declarator {
  return new Reader(tokens, names).whole();
}

/** Tokens between the separators that stand outside every bracket. */
export function splitTokens(tokens: readonly Token[], separator = ','): Token[][] {
  const pieces: Token[][] = [];
  let piece: Token[] = [];
  let depth = 0;
  let angles = 0;
  for (const token of tokens) {
    const { text } = token;
    if (token.kind === 'mark') {
      if (text === separator && depth === 0 && angles === 0) {
        pieces.push(piece);
        piece = [];
        continue;
      }
      if ('([{'.includes(text)) depth++;
      else if (')]}'.includes(text)) depth--;
      else if (depth === 0 && text === '<') angles++;
      else if (depth === 0 && text === '>' && angles > 0) angles--;
    }
    piece.push(token);
  }
  if (pieces.length > 0 || piece.length > 0) pieces.push(piece);
  return pieces;
}

const DEEPEST = 64;
const CONSTS = new Set(['const', '__const', '__const__']);
const VOLATILES = new Set(['volatile', '__volatile', '__volatile__']);
const SPACES: ReadonlyMap<string, AddressSpace> = new Map(
  (['global', 'local', 'constant', 'private'] as const).flatMap((space) => [
    [space, space],
    [`__${space}`, space],
  ]),
);
const ARITHMETIC = new Set(
  `void bool _Bool char short int long float double signed __signed __signed__ unsigned __int128 wchar_t char8_t
  char16_t char32_t`.split(/\s+/),
);
const INTEGER = /^(0[xX][\da-fA-F']{1,20}|0[bB][01']{1,80}|[1-9][\d']{0,25}|0)[uUlLzZ]{0,3}$/;
const STANDARD = /^(?:u?int(?:8|16|32|64|ptr)|size|ptrdiff)_t$/;
const TAGS = new Set(['struct', 'class', 'union', 'enum']);
const ATTRIBUTES = new Set(['__attribute__', '__attribute']);
const HARMLESS = new Set(['unused', '__unused__', 'maybe_unused', 'noescape', 'nonnull', '__nonnull__']);
const BEYOND = new Set(
  `auto decltype typeof __typeof__ __typeof _Atomic _Complex __complex__ _BitInt alignas _Alignas __align__ __declspec
  noexcept operator template this sizeof alignof`.split(/\s+/),
);

class Reader {
  readonly #tokens: readonly Token[];
  readonly #names: Names;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], names: Names) {
    this.#tokens = tokens;
    this.#names = names;
  }

  whole(): Declarator {
    const base = this.#specifiers();
    const { name, build } = this.#declarator();
    if (this.#at < this.#tokens.length) throw new Unreadable('more text');
    return { name, node: build(base) };
  }

  get #text(): string {
    return this.#tokens[this.#at]?.text ?? '';
  }

  get #isWord(): boolean {
    return this.#tokens[this.#at]?.kind === 'word';
  }

  #specifiers(): TypeNode {
    const words: string[] = [];
    let named: TypeNode | undefined;
    let cv: Qualifiers = 0;
    let space: AddressSpace | undefined;
    for (;;) {
      const text = this.#text;
      if (this.#skipNoise()) continue;
      const placed = this.#names.dialect === 'opencl' ? SPACES.get(text) : undefined;
      if (CONSTS.has(text)) cv |= 1;
      else if (VOLATILES.has(text)) cv |= 2;
      else if (placed) space = placed;
      else if (text === '__generic' || (text === 'generic' && this.#names.dialect === 'opencl')) space = undefined;
      else if (ARITHMETIC.has(text)) words.push(text);
      else if (BEYOND.has(text)) throw new Unreadable(text);
      else if ((this.#isWord || text === '::') && !named && words.length === 0) {
        named = this.#name();
        continue;
      } else break;
      this.#at++;
    }
    if (named && words.length > 0) throw new Unreadable('two types');
    const node = named ?? builtinType(arithmetic(words), this.#names.dialect);
    if (!node) throw new Unreadable('no such type');
    return qualify(placeIn(node, space), cv);
  }

  #skipNoise(): boolean {
    const text = this.#text;
    if (NOISE.has(text)) {
      this.#at++;
      return true;
    }
    const bracketed = text === '[' && this.#tokens[this.#at + 1]?.text === '[';
    if (!bracketed && !ATTRIBUTES.has(text)) return false;
    if (!bracketed) this.#at++;
    for (const inner of this.#group()) {
      if (inner.kind === 'word' && !HARMLESS.has(inner.text)) throw new Unreadable('attribute');
    }
    return true;
  }

  /** The tokens of a bracketed group, its brackets left out. */
  #group(): readonly Token[] {
    const end = closing(this.#tokens, this.#at);
    if (end < 0) throw new Unreadable('open bracket');
    const inner = this.#tokens.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inner;
  }

  #name(): TypeNode {
    const { dialect, aliases, hidden } = this.#names;
    const tag = TAGS.has(this.#text) ? this.#tokens[this.#at++]?.text : undefined;
    if (tag === 'enum' && TAGS.has(this.#text)) this.#at++;
    let text = '';
    if (this.#text === '::') this.#at++;
    const first = this.#tokens[this.#at];
    for (;;) {
      if (this.#text === 'template') this.#at++;
      if (!this.#isWord || BEYOND.has(this.#text) || ARITHMETIC.has(this.#text)) {
        throw new Unreadable('no name');
      }
      text += this.#text;
      this.#at++;
      if (this.#text === '<') text += `<${this.#arguments()}>`;
      if (this.#text !== '::' || this.#tokens[this.#at + 1]?.text === '*') break;
      this.#at++;
      text += '::';
    }
    if (tag && dialect === 'opencl') return namedType(`${tag} ${text}`);
    if (first?.doubt) return namedType(text);
    const bare = text.replace(/^(?:cuda::)?std::/, '');
    if (bare !== text) return builtinType(STANDARD.test(bare) ? bare : text, dialect) ?? namedType(text);
    return aliases.get(text) ?? (hidden(text) ? undefined : builtinType(text, dialect)) ?? namedType(text);
  }

  #arguments(): string {
    const inner = this.#group();
    this.#deeper();
    const pieces = splitTokens(inner).map((piece) => templateArgument(piece, this.#names, this.#depth));
    this.#depth--;
    return pieces.join(', ');
  }

  #deeper(): void {
    if (++this.#depth > DEEPEST) throw new Unreadable('too deep');
  }

  #declarator(): { name: string | undefined; build: (node: TypeNode) => TypeNode } {
    this.#deeper();
    const steps: ((node: TypeNode) => TypeNode)[] = [];
    for (;;) {
      const text = this.#text;
      if (this.#skipNoise()) continue;
      const space = this.#names.dialect === 'opencl' ? SPACES.get(text) : undefined;
      if (text === '*') steps.push(pointerTo);
      else if (text === '&' || text === '&&') steps.push((node) => referenceTo(node, text));
      else if (CONSTS.has(text) && steps.length > 0) steps.push((node) => qualify(node, 1));
      else if (VOLATILES.has(text) && steps.length > 0) steps.push((node) => qualify(node, 2));
      else if (space && steps.length > 0) steps.push((node) => placeIn(node, space));
      else if (this.#isWord && this.#startsMember()) {
        const owner = spell(this.#name());
        this.#at++;
        steps.push((node) => memberOf(owner, node));
      } else break;
      this.#at++;
    }
    let name: string | undefined;
    let inside = (node: TypeNode): TypeNode => node;
    if (this.#isWord) {
      name = this.#tokens[this.#at++]?.text;
      this.#skipNoise();
    } else if (this.#text === '(' && this.#nests()) {
      this.#at++;
      ({ name, build: inside } = this.#declarator());
      if (this.#tokens[this.#at++]?.text !== ')') throw new Unreadable('declarator');
    }
    const suffixes = this.#suffixes();
    this.#depth--;
    return {
      name,
      build: (node) =>
        inside(
          suffixes.reduceRight(
            (of, wrap) => wrap(of),
            steps.reduce((of, wrap) => wrap(of), node),
          ),
        ),
    };
  }

  #startsMember(): boolean {
    let at = this.#at;
    while (this.#tokens[at]?.kind === 'word' && this.#tokens[at + 1]?.text === '::') at += 2;
    return at > this.#at && this.#tokens[at]?.text === '*';
  }

  #nests(): boolean {
    const next = this.#tokens[this.#at + 1];
    return (
      next?.text === '*' ||
      next?.text === '&' ||
      next?.text === '&&' ||
      next?.text === '(' ||
      (next?.kind === 'word' && this.#memberInside())
    );
  }

  #memberInside(): boolean {
    this.#at++;
    const starts = this.#startsMember();
    this.#at--;
    return starts;
  }

  #suffixes(): ((node: TypeNode) => TypeNode)[] {
    const suffixes: ((node: TypeNode) => TypeNode)[] = [];
    for (;;) {
      if (this.#text === '[' && this.#tokens[this.#at + 1]?.text === '[' && this.#skipNoise()) continue;
      if (this.#text === '[') {
        const bound = constant(this.#group().filter((token) => !NOISE.has(token.text) && !CONSTS.has(token.text)));
        suffixes.push((node) => arrayOf(node, bound));
      } else if (this.#text === '(') {
        const pieces = splitTokens(this.#group());
        this.#deeper();
        const parameters = pieces.map((piece) => innerParameter(piece, this.#names, this.#depth));
        this.#depth--;
        const none = parameters.length === 1 && parameters[0] === 'void';
        suffixes.push((node) => functionOf(node, none ? [] : parameters));
      } else {
        return suffixes;
      }
    }
  }

  /** Reads at a depth already reached, so that nesting across readers stays bounded. */
  static spellAt(tokens: readonly Token[], names: Names, depth: number, adjust: (node: TypeNode) => TypeNode): string {
    const reader = new Reader(tokens, names);
    reader.#depth = depth;
    const { name, node } = reader.whole();
    if (name !== undefined && adjust !== parameterNode) throw new Unreadable('a name in a type');
    return spell(adjust(node));
  }
}

/** Where the bracket at `open` closes, or -1, after at most `limit` tokens. `<` counts only where the group itself opens with it. */
export function closing(tokens: readonly Token[], open: number, limit: number = Infinity): number {
  const angled = tokens[open]?.text === '<';
  let depth = 0;
  let angles = 0;
  for (let i = open, end = Math.min(tokens.length, open + limit); i < end; i++) {
    const token = tokens[i];
    if (token?.kind !== 'mark') continue;
    if ('([{'.includes(token.text)) depth++;
    else if (')]}'.includes(token.text)) depth--;
    else if (angled && depth === 0 && token.text === '<') angles++;
    else if (angled && depth === 0 && token.text === '>') angles--;
    else if (token.text === ';' && angled) return -1;
    if (depth < 0) return -1;
    if (depth === 0 && angles === 0) return i;
  }
  return -1;
}

function innerParameter(tokens: readonly Token[], names: Names, depth: number): string {
  return tokens.length === 1 && tokens[0]?.text === '...' ? '...' : Reader.spellAt(tokens, names, depth, parameterNode);
}

function templateArgument(tokens: readonly Token[], names: Names, depth: number): string {
  try {
    return Reader.spellAt(tokens, names, depth, (node) => node);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return constant(tokens);
  }
}

function constant(tokens: readonly Token[]): string {
  const [only] = tokens;
  const integer = tokens.length === 1 && only ? INTEGER.exec(only.text)?.[1] : undefined;
  return integer === undefined ? joinTokens(tokens) : BigInt(integer.replaceAll("'", '')).toString();
}

/** The canonical order of `long unsigned int`. */
function arithmetic(words: readonly string[]): string {
  const rest = words.filter((word) => word !== 'int' && !word.includes('signed'));
  const signs = words.filter((word) => word.includes('signed'));
  const ints = words.length - rest.length - signs.length;
  if (signs.length > 1 || ints > 1 || words.length === 0) throw new Unreadable('no such type');
  const size = rest.join(' ');
  if (size === '' || size === 'short' || size === 'long' || size === 'long long') {
    return (signs[0] === 'unsigned' ? 'unsigned ' : '') + (size || 'int');
  }
  if (ints > 0) throw new Unreadable('no such type');
  if (signs.length === 0) return size === '_Bool' ? 'bool' : size === 'double long' ? 'long double' : size;
  if (size !== 'char' && size !== '__int128') throw new Unreadable('no such type');
  if (signs[0] === 'unsigned') return `unsigned ${size}`;
  return size === 'char' ? 'signed char' : size;
}
