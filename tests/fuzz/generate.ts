import { TAKES_ANY_SIZE } from './exclude.ts';
import { type Model, type Parameter, type Signature } from './model.ts';
import { type Random } from './random.ts';
import { SOURCES } from './sources.ts';
import { type Spec } from './spec.ts';

/** Where objects of the sequence are found, by their class; undefined where there is none. */
export type Finder = (className: string | undefined) => Spec | undefined;

const VALID = 0.8;
const DEPTH = 4;
const NUMBERS = [0, 1, 2, 3, 4, 8, 16, 32, 64, 100, 128, 256, 1024, 4096];
const ODD_NUMBERS = [-1, 0.5, 2 ** 16, 2 ** 31, 2 ** 31 - 1, 2 ** 32, 2 ** 32 - 1, 2 ** 40, 2 ** 53, -(2 ** 31), 1e308];
const WORDS = ['NaN', 'Infinity', '-Infinity', '-0'];
const BIGINTS = ['0', '1', '64', '-1', '4096', '4294967296', '9223372036854775807', '18446744073709551615'];
const HUGE_BIGINTS = ['18446744073709551616', '-9223372036854775809', '340282366920938463463374607431768211456'];
const TEXTS = ['', 'add', 'none', 'scaled', 'f32', 'float', 'i32', 'u8', 'x', '0', 'float *', '-O2', 'float4', 'table'];
const ODD_TEXTS = ['__proto__', 'constructor', '\0', 'a\0b', '\ud800', '💥', '%s%n%d', '../x', 'a\nb', '-D', '--'];
const VIEWS = [
  'Uint8Array',
  'Int8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'DataView',
  'ArrayBuffer',
  'SharedArrayBuffer',
  'Buffer',
];
const KINDS = [
  'guarded',
  'guarded',
  'guarded',
  'shared',
  'resizable',
  'shrunk',
  'detached',
  'lies',
  'growable',
] as const;
const LENGTHS = [0, 1, 2, 3, 4, 7, 16, 16, 64, 64, 256, 1024, 4096];
const EVIL = ['getter', 'string', 'primitive', 'frozen', 'inherits', 'length'] as const;

/** Where nothing may ask for a gibibyte: the dimensions of a list or an object are multiplied. */
const MODEST = { deep: [0, 1, 2, 3, 4, 8, 16, 32, 64], odd: [-1, 0.5, -(2 ** 31)], bigints: ['0', '1', '64', '-1'] };
const MAX_DIMENSIONS = 4;

/** Makes arguments: mostly what the declarations ask for, now and then what they do not. */
export class Generator {
  readonly #random: Random;
  readonly #model: Model;
  readonly #find: Finder;
  readonly #isShared: boolean;
  /** Whether the call may name small sizes only. */
  #isModest = false;

  /** @param isShared - whether others use the device: what may allocate asks for little */
  constructor(random: Random, model: Model, find: Finder, isShared: boolean) {
    this.#isShared = isShared;
    this.#random = random;
    this.#model = model;
    this.#find = find;
  }

  /** Arguments of a function that takes `arity` of them, or that is declared. */
  args(name: string, arity: number): Spec[] {
    const random = this.#random;
    this.#isModest = this.#isShared && !TAKES_ANY_SIZE.test(name);
    const signatures = this.#model.calls[name];
    if (!signatures || random.chance(0.05)) {
      const count = Math.max(0, arity + random.pick([0, 0, 0, 1, 2, -1]));
      return Array.from({ length: count }, () => this.#any());
    }
    const args = this.#declared(random.pick(signatures));
    if (random.chance(0.04)) args.pop();
    if (random.chance(0.04)) args.push(this.#any());
    return args;
  }

  /** A value of a property. */
  value(name: string): Spec {
    this.#isModest = this.#isShared;
    const type = this.#model.values[name];
    return type === undefined || this.#random.chance(0.2) ? this.#any() : this.#typed(type, '', 0);
  }

  #declared(signature: Signature): Spec[] {
    const args: Spec[] = [];
    // Most calls are wrong in one place at most, or none would get deep.
    const wrong = this.#random.chance(0.5) ? this.#random.below(signature.length + 1) : -1;
    for (const [index, parameter] of signature.entries()) {
      if (parameter.optional && this.#random.chance(0.4)) break;
      args.push(...this.#parameter(parameter, index === wrong));
    }
    return args;
  }

  #parameter({ name, type, rest }: Parameter, wrong: boolean): Spec[] {
    if (wrong && !rest) return [this.#any()];
    if (!rest) return [this.#typed(type, name, 0)];
    const described = this.#model.types[type];
    if (described?.k === 'tuple') {
      return described.of.map((part) => (wrong && this.#random.chance(0.3) ? this.#any() : this.#typed(part, name, 0)));
    }
    if (described?.k === 'union') {
      return this.#parameter({ name, type: this.#random.pick(described.of), rest, optional: false }, wrong);
    }
    const of = described?.k === 'list' ? described.of : undefined;
    return Array.from({ length: this.#random.below(4) }, () =>
      wrong || of === undefined ? this.#any() : this.#typed(of, name, 0),
    );
  }

  #typed(index: number, name: string, depth: number): Spec {
    const random = this.#random;
    const type = this.#model.types[index];
    if (!type || random.chance(depth === 0 ? 0.02 : (1 - VALID) / 3)) return this.#any();
    switch (type.k) {
      case 'any':
        return this.#any();
      case 'number':
        return this.#number(name, depth);
      case 'string':
        return this.#text(name);
      case 'boolean':
        return { t: 'json', v: random.chance(0.5) };
      case 'bigint':
        return { t: 'bigint', v: random.pick(this.#isModest ? MODEST.bigints : BIGINTS) };
      case 'undefined':
        return { t: 'undefined' };
      case 'null':
        return { t: 'json', v: null };
      case 'symbol':
        return { t: 'symbol' };
      case 'fn':
        return { t: 'fn', kind: random.pick(['nothing', 'number', 'throws', 'async']) };
      case 'lit':
        return { t: 'json', v: type.v };
      case 'union':
        return this.#typed(random.pick(type.of), name, depth);
      case 'tuple':
        return { t: 'list', of: type.of.map((part) => this.#typed(part, name, depth + 1)) };
      case 'list':
        return { t: 'list', of: this.#list(type.of, name, depth) };
      case 'view':
        return this.#view(type.name);
      case 'class':
        return this.#instance(type.name);
      case 'object':
        return this.#object(type.name, type.props, depth);
    }
  }

  #list(of: number, name: string, depth: number): Spec[] {
    const asked = depth > DEPTH ? 0 : this.#random.pick([0, 1, 1, 1, 2, 2, 3, 3, 4, 16]);
    const length = this.#isModest ? Math.min(asked, MAX_DIMENSIONS) : asked;
    return Array.from({ length }, () => this.#typed(of, name, depth + 1));
  }

  #instance(className: string): Spec {
    const random = this.#random;
    switch (className) {
      case 'Map':
        return { t: 'map' };
      case 'Date':
        return { t: 'date' };
      case 'RegExp':
        return { t: 'regexp' };
      case 'Function':
        return { t: 'fn', kind: 'nothing' };
      case 'AbortSignal':
        return { t: 'signal', aborted: random.chance(0.5) };
      default:
        return this.#find(className) ?? (random.chance(0.5) ? this.#any() : { t: 'undefined' });
    }
  }

  #object(name: string, types: Readonly<Record<string, number>>, depth: number): Spec {
    const found = this.#random.chance(0.5) && /^(?:AddressHolder|CudaArray|ArrayBufferView|DLPack)/.test(name);
    if (found) return this.#find(undefined) ?? { t: 'undefined' };
    if (name === 'ArrayBufferView' || name === 'ArrayBufferLike') return this.#view(undefined);
    const props: Record<string, Spec> = {};
    const keys = Object.keys(types);
    // A long list of options is rarely wanted whole.
    const wanted = this.#random.pick([0.15, 0.4, 0.9]);
    for (const [key, type] of Object.entries(types)) {
      const optional = this.#optional(type);
      if (depth > DEPTH || (optional && !this.#random.chance(wanted))) continue;
      props[key] = this.#typed(optional && this.#random.chance(0.95) ? this.#present(type) : type, key, depth + 1);
    }
    if (this.#random.chance(0.03)) props[this.#random.pick(['unknown', '__proto__', 'length', ...keys])] = this.#any();
    const object: Spec = { t: 'object', proto: !this.#random.chance(0.05), props };
    return this.#random.chance(0.04) ? this.#evil(object) : object;
  }

  #optional(index: number): boolean {
    const type = this.#model.types[index];
    return type?.k === 'union' && type.of.some((part) => this.#model.types[part]?.k === 'undefined');
  }

  #present(index: number): number {
    const type = this.#model.types[index];
    if (type?.k !== 'union') return index;
    const rest = type.of.filter((part) => this.#model.types[part]?.k !== 'undefined');
    return rest.length === 0 ? index : this.#random.pick(rest);
  }

  #number(name: string, depth: number): Spec {
    const random = this.#random;
    // A wait may be as long as it is asked for.
    if (/timeout/i.test(name)) return { t: 'json', v: random.pick([0, 1, 5, -1, 0.5]) };
    if (random.chance(0.06)) return { t: 'number', v: random.pick(WORDS) };
    if (random.chance(0.12)) return { t: 'json', v: random.pick(this.#isModest ? MODEST.odd : ODD_NUMBERS) };
    const small = /index|ordinal|level|priority|dimension|plane|domain|fd|descriptor/i.test(name);
    return { t: 'json', v: small ? random.below(3) : random.pick(this.#isModest && depth > 0 ? MODEST.deep : NUMBERS) };
  }

  #text(name: string): Spec {
    const random = this.#random;
    if (/source|code|text/i.test(name) && random.chance(0.8)) {
      return { t: 'source', name: random.pick(Object.keys(SOURCES)) };
    }
    if (random.chance(0.15)) return { t: 'json', v: random.pick(ODD_TEXTS) };
    if (random.chance(0.01)) return { t: 'text', v: 'ab', times: 50_000 };
    return { t: 'json', v: random.pick(TEXTS) };
  }

  #view(name: string | undefined): Spec {
    const random = this.#random;
    const wanted = name === undefined || name === 'ArrayBufferLike' || random.chance(0.1) ? random.pick(VIEWS) : name;
    const kind = random.pick(KINDS);
    const told = this.#isModest && kind === 'lies' ? 'guarded' : kind;
    return { t: 'view', name: wanted, length: random.pick(LENGTHS), kind: told };
  }

  #evil(of: Spec): Spec {
    const kind = this.#random.pick(EVIL);
    return { t: 'evil', kind: this.#isModest && kind === 'length' ? 'frozen' : kind, of };
  }

  /** Anything at all. */
  #any(depth = 0): Spec {
    const random = this.#random;
    const choice = random.below(26);
    switch (choice) {
      case 0:
        return { t: 'undefined' };
      case 1:
        return { t: 'json', v: null };
      case 2:
        return { t: 'json', v: random.chance(0.5) };
      case 3:
        return { t: 'symbol' };
      case 4:
        return { t: 'number', v: random.pick(WORDS) };
      case 5:
      case 6:
        return {
          t: 'json',
          v: random.pick(this.#isModest ? [...MODEST.deep, ...MODEST.odd] : [...NUMBERS, ...ODD_NUMBERS]),
        };
      case 7:
        return { t: 'bigint', v: random.pick(this.#isModest ? MODEST.bigints : [...BIGINTS, ...HUGE_BIGINTS]) };
      case 8:
        return { t: 'json', v: random.pick([...TEXTS, ...ODD_TEXTS]) };
      case 9:
        return { t: 'fn', kind: random.pick(['nothing', 'throws', 'async', 'class', 'number']) };
      case 10:
        return { t: 'list', of: depth > 2 ? [] : Array.from({ length: random.below(5) }, () => this.#any(depth + 1)) };
      case 11:
        return { t: 'object', proto: random.chance(0.5), props: depth > 2 ? {} : { x: this.#any(depth + 1) } };
      case 12:
      case 13:
        return { t: 'proxy', kind: random.pick(['revoked', 'plain', 'throws']), of: this.#any(depth + 1) };
      case 14:
        return this.#evil(this.#any(depth + 1));
      case 15:
        return random.pick<Spec>([{ t: 'map' }, { t: 'date' }, { t: 'regexp' }, { t: 'hole' }, { t: 'promise' }]);
      case 16:
        return random.pick<Spec>([{ t: 'iterator' }, { t: 'cycle' }, { t: 'signal', aborted: random.chance(0.5) }]);
      case 17:
      case 18:
      case 19:
        return this.#view(undefined);
      case 20:
        return { t: 'source', name: random.pick(Object.keys(SOURCES)) };
      default:
        return this.#find(undefined) ?? { t: 'json', v: random.pick(NUMBERS) };
    }
  }
}
