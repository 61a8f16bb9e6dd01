import { RANDOM_FORMS, RANDOM_LEAVES, type RandomType } from './random-jit-forms.ts';
import {
  aggregates,
  CASTS,
  choice,
  randomParameter,
  randomResult,
  type Named,
  type RandomWriter,
} from './random-jit-aggregates.ts';
import type { JitProgram } from './jit-program-kernel.ts';
import { ROW_PATHS } from './random-jit-records.ts';
import { HOST_TYPES, randomNumbers, type HostType } from './random-jit-inputs.ts';

/** What a form has that may fail: seldom, so that most threads reach the end. */
const RISK = 0.06;

/** Writes random expressions and statements. */
class RandomText implements RandomWriter {
  readonly #number: () => number;
  readonly #risk: number;
  /** Variables that may be read, and assigned. */
  readonly #scope: Named[] = [];
  /** Texts that have a value besides: elements of arrays. */
  readonly #places: Named[] = [];
  #count = 0;

  /** @param risk - how often a form is taken that may fail */
  constructor(number: () => number, risk: number = RISK) {
    this.#number = number;
    this.#risk = risk;
  }

  chance(share: number): boolean {
    return this.#number() < share;
  }

  below(count: number): number {
    return Math.floor(this.#number() * count);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** A random expression of a type. */
  expression(type: RandomType, depth: number): string {
    if (depth <= 0) return this.#leaf(type);
    const isRisky = this.chance(this.#risk);
    const forms = RANDOM_FORMS[type].filter((form) => form.startsWith('!') === isRisky);
    if (forms.length === 0) return this.#leaf(type);
    const inner = depth - 1 - this.below(2);
    return this.pick(forms)
      .replace(/^!(?=.)/, isRisky ? '' : '!')
      .replaceAll(/#(\w+)/g, (_, operand: RandomType) => this.expression(operand, inner));
  }

  #leaf(type: RandomType): string {
    const known = [...this.#scope, ...this.#places].filter((one) => one.type === type);
    return known.length > 0 && this.chance(0.5) ? this.pick(known).name : this.pick(RANDOM_LEAVES[type]);
  }

  addPlaces(...list: readonly Named[]): void {
    this.#places.push(...list);
  }

  addVariables(...list: readonly Named[]): void {
    this.#scope.push(...list);
  }

  /** Statements with variables of their own; `end` writes the last one. */
  body(end: (text: RandomText) => string, own: Pick<RandomScope, 'places' | 'variables'> = NOTHING): string {
    const [scope, places] = [this.#scope.length, this.#places.length];
    this.addPlaces(...own.places);
    this.addVariables(...own.variables);
    const lines = [
      ...(['i32', 'f32', 'i64', 'f64', 'u32'] as const)
        .filter(() => this.chance(0.4))
        .map((type) => this.#declare(type)),
      ...(this.chance(0.3) ? [this.#localArray()] : []),
      ...(this.chance(0.25) ? [this.#vector()] : []),
      ...(this.chance(0.2) ? [this.#struct()] : []),
      ...(this.chance(0.6) ? aggregates(this) : []),
      ...Array.from({ length: 1 + this.below(2) }, () => this.statement(2)),
      ...(this.chance(0.6) ? [this.#left(this.#scope.slice(scope), this.#places.slice(places))] : []),
      end(this),
    ];
    this.#scope.length = scope;
    this.#places.length = places;
    return lines.join('\n    ');
  }

  /** Some of a program's variables go to the thread's struct, so that their values are compared. */
  #left(variables: readonly Named[], places: readonly Named[]): string {
    const all = [...variables, ...places].filter(({ name }) => !/^r[aw]\[/.test(name));
    if (all.length === 0) return ';';
    return Array.from({ length: 1 + this.below(3) }, () => {
      const { name, type } = this.pick(all);
      const [path] = this.pick(ROW_PATHS.filter((one) => one[1] === type));
      return `rw[t].${path} = ${name};`;
    }).join(' ');
  }

  fresh(letter: string): string {
    return `${letter}${++this.#count}`;
  }

  #declare(type: RandomType): string {
    const value = this.expression(type, 1);
    const name = this.fresh('s');
    this.#scope.push({ name, type });
    return `let ${name} = ${type === 'bool' ? value : `cuda.${CASTS[type]}(${value})`};`;
  }

  #localArray(): string {
    const type = this.pick(HOST_TYPES);
    const name = this.fresh('t');
    // A store to a narrow array cuts bits off, but no fractions.
    const given = type.startsWith('f') ? type : type.endsWith('64') ? type : 'i32';
    if (this.chance(0.3)) {
      const text = `const ${name} = cuda.local.array([2, 3], '${type}'); for (let y = 0; y < 2; y++) for (let x = 0; x < 3; x++) ${name}[y][x] = ${this.expression(given, 1)};`;
      this.#places.push({ name: `${name}[i & 1][2]`, type }, { name: `${name}[1][i % 3]`, type });
      return text;
    }
    const text = `const ${name} = cuda.local.array(4, '${type}'); for (let k = 0; k < 4; k++) ${name}[k] = ${this.expression(given, 1)};`;
    this.#places.push(
      { name: `${name}[${this.expression('i32', 1)} & 3]`, type },
      { name: `${name}[${this.chance(0.1) ? '7' : '2'}]`, type },
    );
    return text;
  }

  #vector(): string {
    const [type, made] = this.pick([['f32', 'float32x3'], ['f64', 'float64x3'], ['i32', 'int32x3'], ['u32', 'uint32x3']] as const); // prettier-ignore
    const name = this.fresh('v');
    const x = (): string => this.expression(type, 1);
    const text = `const ${name} = cuda.${made}(${x()}, ${x()}, ${x()}); ${name}.y = ${x()}; ${name}.z = ${name}.x;`;
    this.#places.push({ name: `${name}.x`, type }, { name: `${name}.y`, type }, { name: `${name}.z`, type });
    return text;
  }

  #struct(): string {
    const name = this.fresh('p');
    const copy = this.fresh('q');
    const text = `const ${name} = { n: cuda.int32(${this.expression('i32', 1)}), x: cuda.float64(${this.expression('f64', 1)}), w: cuda.int64(${this.expression('i64', 1)}) }; const ${copy} = ${name}; ${copy}.n = cuda.int32(${name}.n ^ ${this.expression('i32', 1)}); const [${name}a, ${name}b] = [${this.expression('u32', 1)}, ${this.expression('f32', 1)}];`;
    for (const owner of [name, copy])
      this.#places.push({ name: `${owner}.n`, type: 'i32' }, { name: `${owner}.x`, type: 'f64' });
    this.#places.push(
      { name: `${copy}.w`, type: 'i64' },
      { name: `${name}a`, type: 'u32' },
      { name: `${name}b`, type: 'f32' },
    );
    return text;
  }

  statement(depth: number): string {
    const kind = depth <= 0 ? this.below(3) : this.below(9);
    if (kind < 3) return this.#assignment();
    if (kind < 5) return this.#if(depth);
    if (kind === 8) return choice(this, depth);
    return this.#loop(depth);
  }

  #assignment(): string {
    const target = this.pick(this.#scope.length > 0 ? this.#scope : [undefined]);
    if (target === undefined) return ';';
    if (this.chance(0.15)) return this.#exchange(target);
    const { name, type } = target;
    const x = (): string => this.expression(type, 1 + this.below(2));
    const whole = [`${name} = ${x()};`, `${name} = ${x()};`];
    if (type === 'bool') return this.pick([...whole, `${name} ||= ${x()};`, `${name} &&= ${x()};`]);
    if (type === 'f32' || type === 'f64') return this.pick([...whole, `${name} += ${x()};`, `${name} *= ${x()};`, `${name} /= ${x()};`, `${name}++;`]); // prettier-ignore
    const bits = [`${name} ^= ${x()};`, `${name} &= ${x()};`, `${name} |= ${x()};`];
    if (type === 'u32') return this.pick([...whole, `${name} += ${x()};`, `${name} *= ${x()};`, `${name} -= ${x()};`, `${name}++;`, `${name} >>>= ${this.expression('i32', 1)};`]); // prettier-ignore
    const risky = this.chance(this.#risk)
      ? [`${name} += ${x()};`, `${name}++;`, `--${name};`, `${name} *= ${x()};`]
      : [];
    return this.pick([...whole, ...bits, ...risky, `${name} <<= ${this.expression('i32', 1)};`, `${name} >>= ${this.expression('i32', 1)};`]); // prettier-ignore
  }

  /** `[a, b, c] = [b, 7, a]`: two or three places of one type. */
  #exchange({ name, type }: Named): string {
    const all = this.#scope.filter((one) => one.type === type).map((one) => one.name);
    const places = [name, ...Array.from({ length: 1 + this.below(2) }, () => this.pick(all))];
    const values = places.map((_, k) =>
      this.chance(0.7) ? (places[(k + 1) % places.length] as string) : this.expression(type, 1),
    );
    return `[${places.join(', ')}] = [${values.join(', ')}];`;
  }

  /** A test, which may do something where an operand before lets it. */
  #test(): string {
    const targets = this.#scope.filter(({ type }) => type === 'i32');
    if (targets.length === 0 || this.chance(0.6)) return this.expression('bool', 1 + this.below(2));
    const { name } = this.pick(targets);
    const change = `(${name} = ${this.expression('i32', 1)}) > ${this.pick(['3', '0', '(-7)'])}`;
    return this.pick([`${this.expression('bool', 1)} && ${change}`, `${this.expression('bool', 1)} || ${change}`, `(${this.expression('bool', 1)} ? ${change} : ${this.expression('bool', 1)})`]); // prettier-ignore
  }

  #if(depth: number): string {
    const text = `if (${this.#test()}) { ${this.statement(depth - 1)} }`;
    return this.chance(0.5) ? `${text} else { ${this.statement(depth - 1)} ${this.statement(depth - 1)} }` : text;
  }

  #loop(depth: number): string {
    const k = this.fresh('k');
    const inner = (): string => {
      this.#places.push({ name: k, type: 'i32' });
      const jump = this.pick(['', '', `if (${this.#test()}) continue;`, `if (${this.#test()}) break;`]);
      const text = `${this.statement(depth - 1)} ${jump} ${this.statement(depth - 1)}`;
      this.#places.pop();
      return text;
    };
    const count = this.pick(['3', '5', `(${this.expression('i32', 1)} & 7)`, `(${this.expression('u8', 1)} & 3)`]);
    return this.pick([
      () => `for (let ${k} = 0; ${k} < ${count}; ${k}++) { ${inner()} }`,
      () => `for (let ${k} = 6; ${k} > 0; ${k} -= 2) { ${inner()} }`,
      () => `let ${k} = 5; while (${k}-- > 0) { ${inner()} }`,
      () => `let ${k} = 0; do { ${k} += 2; ${inner()} } while (${k} < 7 && ${this.expression('bool', 1)});`,
      () => `let ${k} = 0; for (;;) { if (++${k} > 4) break; ${inner()} }`,
    ])();
  }
}

type RandomScope = ReturnType<typeof randomParameter>;

const NOTHING: Pick<RandomScope, 'places' | 'variables'> = { places: [], variables: [] };

/** Where a program's result is stored. A narrow integer is given one of 32 bits, a float one of its own. */
function resultOf(text: RandomText, type: HostType, depth: number): string {
  const wide = type.startsWith('f') || type.endsWith('64') || type === 'u32' ? type : 'i32';
  return text.expression(text.chance(0.1) ? 'bool' : wide, depth);
}

function randomProgram(text: RandomText): JitProgram {
  const type = text.pick(HOST_TYPES);
  const kind = text.below(10);
  if (kind < 2) return { type, value: `+${resultOf(text, type, 2 + text.below(2))}` };
  const result = (inner: RandomText): string => `+${resultOf(inner, type, 2)}`;
  if (kind < 6) return { type, before: text.body((inner) => `const result = ${result(inner)};`), value: 'result' };
  if (kind === 6) return { type, device: `return +${resultOf(text, type, 2 + text.below(2))};` };
  const taken = text.chance(0.7) ? [randomParameter(text)] : [];
  const shape = text.chance(0.4) ? randomResult(text, '#') : { returned: '#', read: '' };
  const returned = (inner: RandomText): string => `return ${shape.returned.replace('#', result(inner))};`;
  return {
    type,
    parameters: taken.map(({ parameter }) => parameter),
    args: taken.map(({ argument }) => argument),
    read: shape.read,
    device: text.body((inner) => {
      const early = inner.chance(0.3) ? `if (${inner.expression('bool', 2)}) ${returned(inner)}\n    ` : '';
      return `${early}${returned(inner)}`;
    }, taken[0] ?? NOTHING),
  };
}

/** So many random programs. */
export function randomPrograms(seed: number, count: number): readonly JitProgram[] {
  const number = randomNumbers(seed);
  return Array.from({ length: count }, () => randomProgram(new RandomText(number)));
}
