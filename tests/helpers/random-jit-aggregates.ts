import type { RandomType } from './random-jit-forms.ts';
import type { HostType } from './random-jit-inputs.ts';
import { ROW_PATHS } from './random-jit-records.ts';

/** A name, or a text of a place, with its type. */
export interface Named {
  readonly name: string;
  readonly type: RandomType;
}

/** What writes random programs, as far as values of several parts need it. */
export interface RandomWriter {
  chance(share: number): boolean;
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
  expression(type: RandomType, depth: number): string;
  statement(depth: number): string;
  fresh(letter: string): string;
  /** Places that may be read from here on, and variables that may be assigned to, too. */
  addPlaces(...list: readonly Named[]): void;
  addVariables(...list: readonly Named[]): void;
}

/** The functions that make each type. */
export const CASTS: Readonly<Record<RandomType, string>> = {
  i8: 'int8', u8: 'uint8', i16: 'int16', u16: 'uint16', i32: 'int32', u32: 'uint32', i64: 'int64', u64: 'uint64', f32: 'float32',
  f64: 'float64', bool: 'boolean',
}; // prettier-ignore

const WIDE = ['i32', 'u32', 'i64', 'u64', 'f32', 'f64'] as const;

/** A value in its type, where the type that is hinted may be another one. */
function cast(writer: RandomWriter, type: RandomType, depth = 1): string {
  return `cuda.${CASTS[type]}(${writer.expression(type, depth)})`;
}

/** Members of an object literal with these types, in any order. */
function literal(writer: RandomWriter, members: readonly Named[]): string {
  const list = members.map(({ name, type }) => `${name}: ${cast(writer, type)}`);
  return `{ ${list.sort(() => writer.below(3) - 1).join(', ')} }`;
}

function pathsOf(owner: string): readonly Named[] {
  return ROW_PATHS.map(([path, type]) => ({ name: `${owner}.${path}`, type }));
}

function some<T>(writer: RandomWriter, list: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, () => writer.pick(list));
}

/** Elements of arrays of structs: `ra[i]` is read alone, `rw[t]` is the thread's own. */
function elements(writer: RandomWriter): string {
  writer.addPlaces(...some(writer, pathsOf('ra[i]'), 5), ...some(writer, pathsOf('rw[t]'), 3));
  writer.addPlaces({ name: `ra[${writer.expression('i32', 1)} & 15].n`, type: 'i32' });
  writer.addVariables(...new Map(some(writer, pathsOf('rw[t]'), 3).map((one) => [one.name, one])).values());
  const [m, g] = [cast(writer, 'i32'), cast(writer, 'f32')];
  return writer.pick([
    '',
    `rw[t].in = { g: ${g}, m: ${m} };`,
    'rw[t] = ra[i];',
    'rw[t].in = ra[i].in;',
    `rw[t].v = cuda.float32x2(${g}, ${cast(writer, 'f32')});`,
    `if (${writer.expression('bool', 1)}) rw[t] = ra[${writer.expression('i32', 1)} & 15];`,
    `rw[t].k = ${writer.expression('bool', 1)};`,
    `{ const whole = rw[t]; rw[t] = ra[i]; rw[t].in.m = whole.in.m; rw[t].d = whole.d; }`,
  ]);
}

/** A copy of a struct, which may be changed, and parts of it. */
function copied(writer: RandomWriter): string {
  const name = writer.fresh('r');
  const from = writer.pick(['ra[i]', 'rw[t]', `ra[${writer.expression('i32', 1)} & 15]`]);
  const text = `let ${name} = ${from};`;
  writer.addVariables(...new Map(some(writer, pathsOf(name), 4).map((one) => [one.name, one])).values());
  const inner = writer.fresh('n');
  const rest = writer.pick([
    '',
    `if (${writer.expression('bool', 1)}) ${name} = rw[t];`,
    `const ${inner} = ${name}.in; ${inner}.m = ${cast(writer, 'i32')};`,
    `${name}.in = { m: ${cast(writer, 'i32')}, g: ${cast(writer, 'f32')} };`,
    `rw[t] = ${name};`,
    `${name}.v.y = ${cast(writer, 'f32')};`,
  ]);
  if (rest.startsWith('const'))
    writer.addPlaces({ name: `${inner}.m`, type: 'i32' }, { name: `${inner}.g`, type: 'f32' });
  return `${text} ${rest}`;
}

/** Names for parts of a struct. */
function taken(writer: RandomWriter): string {
  const [a, b, c, d] = ['x', 'x', 'x', 'x'].map((letter) => writer.fresh(letter)) as [string, string, string, string];
  const from = writer.pick(['ra[i]', 'rw[t]']);
  const word = writer.pick(['const', 'let']);
  const add = word === 'let' ? writer.addVariables.bind(writer) : writer.addPlaces.bind(writer);
  add({ name: a, type: 'f64' }, { name: b, type: 'i32' }, { name: c, type: 'f32' }, { name: d, type: 'i64' });
  return `${word} { d: ${a}, in: { m: ${b}, g: ${c} }, w: ${d} } = ${from};`;
}

/** An object of the function's own, nested or not, with a copy. */
function object(writer: RandomWriter): string {
  const members = (['i32', 'f64', 'i64', 'u32', 'f32'] as const).map((type, i) => ({
    name: 'abcde'[i] as string,
    type,
  }));
  const name = writer.fresh('o');
  const inner = `{ z: ${cast(writer, 'u8')}, y: ${cast(writer, 'bool')} }`;
  const made = literal(writer, members);
  const text = `let ${name} = { in: ${inner}, ...0 };`.replace('...0', made.slice(2, -2));
  writer.addVariables(...members.map(({ name: own, type }) => ({ name: `${name}.${own}`, type })));
  writer.addPlaces({ name: `${name}.in.z`, type: 'u8' }, { name: `${name}.in.y`, type: 'bool' });
  const copy = writer.fresh('o');
  const rest = writer.pick([
    '',
    `const ${copy} = ${name}; ${copy}.a = ${cast(writer, 'i32')}; ${copy}.in.z = 7; if (${writer.expression('bool', 1)}) ${name} = ${copy};`,
    `if (${writer.expression('bool', 1)}) ${name} = { in: { y: true, z: ${cast(writer, 'u8')} }, ${literal(writer, members).slice(2, -2)} };`,
    `const ${copy} = ${writer.expression('bool', 1)} ? ${name} : { in: ${inner}, ${members.map((one) => `${one.name}: ${cast(writer, one.type, 0)}`).join(', ')} }; ${name}.b = ${copy}.b;`,
  ]);
  return `${text} ${rest}`;
}

/** A list whose index varies: of numbers, of lists, of structs. */
function list(writer: RandomWriter): string {
  const type: HostType = writer.pick(WIDE);
  const name = writer.fresh('l');
  const x = (depth = 1): string => cast(writer, type, depth);
  const at = (most: number): string => `${name}[${writer.expression('i32', 1)} & ${most}]`;
  switch (writer.below(5)) {
    case 0: {
      const text = `const ${name} = [${x()}, ${x()}, ${x()}, ${x()}];`;
      const [place, store] = [at(3), `${at(3)} = ${x()};`];
      writer.addPlaces({ name: place, type }, { name: `${name}[2]`, type });
      writer.addVariables({ name: `${name}[i & 3]`, type });
      return `${text} ${store}`;
    }
    case 1: {
      const text = `const ${name} = [[${x()}, ${x()}], [${x()}, ${x()}]];`;
      writer.addVariables({ name: `${name}[i & 1][${writer.expression('i32', 1)} & 1]`, type });
      return text;
    }
    case 2: {
      const text = `const ${name} = [{ a: ${x()}, n: ${cast(writer, 'i32')} }, { n: ${cast(writer, 'i32')}, a: ${x()} }];`;
      const place = at(1);
      writer.addVariables({ name: `${name}[i & 1].a`, type }, { name: `${place}.n`, type: 'i32' });
      return `${text} if (${writer.expression('bool', 1)}) ${name}[1] = ${name}[i & 1];`;
    }
    case 3: {
      const [sum, v] = [writer.fresh('s'), writer.fresh('v')];
      const text = `let ${sum} = ${x(0)}; for (const ${v} of [${x()}, ${x()}, ${x()}]) { if (${writer.expression('bool', 1)}) continue; ${sum} = cuda.${CASTS[type]}(${sum} ${type.startsWith('f') ? '+' : '^'} ${v}); }`;
      writer.addVariables({ name: sum, type });
      return text;
    }
    default: {
      const [a, b] = [writer.fresh('x'), writer.fresh('x')];
      const text = `let [${a}, [, ${b}]] = [${x()}, [${cast(writer, 'i32')}, ${cast(writer, 'f64')}]];`;
      writer.addPlaces({ name: `[${x()}, ${x()}, ${x()}][${writer.expression('u8', 1)} % 3]`, type });
      writer.addVariables({ name: a, type }, { name: b, type: 'f64' });
      return text;
    }
  }
}

/** Statements that make values of several parts. */
export function aggregates(writer: RandomWriter): readonly string[] {
  const kinds = [elements, copied, taken, object, list];
  return Array.from({ length: 1 + writer.below(2) }, () => writer.pick(kinds)(writer));
}

/** `switch` of each kind: of constants, of values, of floats, with a default anywhere, falling through or not. */
export function choice(writer: RandomWriter, depth: number): string {
  const type = writer.pick(['i32', 'i32', 'u32', 'u8', 'i64', 'f32', 'bool'] as const);
  const masked = writer.chance(0.7) && !type.startsWith('f') && type !== 'bool';
  const value = masked ? `(${writer.expression(type, 1)} & 3)` : writer.expression(type, 1);
  const plain = type === 'bool' ? ['true', 'false'] : type === 'f32' ? ['0', '0.5', '-1', 'NaN'] : type === 'i64' ? ['0', '1n', '2', '-3n'] : ['0', '1', '2', '3']; // prettier-ignore
  const cases = some(writer, plain, 1 + writer.below(3)).map((one) => {
    const test = writer.chance(0.15) ? writer.expression(type, 1) : one;
    const end = writer.pick(['break;', 'break;', '']);
    return `case ${test}: ${writer.statement(depth - 1)} ${end}`;
  });
  if (writer.chance(0.6)) cases.splice(writer.below(cases.length + 1), 0, `default: ${writer.statement(depth - 1)} ${writer.pick(['break;', ''])}`); // prettier-ignore
  return `switch (${value}) { ${cases.join(' ')} }`;
}

/** The parameters of a device function besides the inputs, what a call gives for them, and the places that they make. */
export interface RandomParameter {
  readonly parameter: string;
  readonly argument: string;
  readonly places: readonly Named[];
  readonly variables: readonly Named[];
}

export function randomParameter(writer: RandomWriter): RandomParameter {
  const [a, b, c] = ['x', 'x', 'x'].map((letter) => writer.fresh(letter)) as [string, string, string];
  const type = writer.pick(WIDE);
  switch (writer.below(4)) {
    case 0:
      return {
        parameter: `{ d: ${a}, in: { m: ${b} }, v: ${c} }`,
        argument: writer.pick(['ra[i]', 'rw[t]']),
        places: [{ name: `${c}.y`, type: 'f32' }],
        variables: [{ name: a, type: 'f64' }, { name: b, type: 'i32' }],
      }; // prettier-ignore
    case 1:
      return {
        parameter: a,
        argument: writer.pick(['ra[i]', 'rw[t]', 'ra[i ^ 1]']),
        places: some(writer, pathsOf(a), 3),
        variables: [{ name: `${a}.in.m`, type: 'i32' }, { name: `${a}.d`, type: 'f64' }],
      }; // prettier-ignore
    case 2:
      return {
        parameter: `{ a: ${a}, b: [${b}, ${c}] }`,
        argument: `{ b: [${cast(writer, 'i32')}, ${cast(writer, 'f32')}], a: ${cast(writer, type)} }`,
        places: [],
        variables: [{ name: a, type }, { name: b, type: 'i32' }, { name: c, type: 'f32' }],
      }; // prettier-ignore
    default:
      return {
        parameter: `[${a}, { n: ${b} }, ${c}]`,
        argument: `[${cast(writer, type)}, { n: ${cast(writer, 'i64')} }, ${cast(writer, 'bool')}]`,
        places: [{ name: c, type: 'bool' }],
        variables: [{ name: a, type }, { name: b, type: 'i64' }],
      }; // prettier-ignore
  }
}

/** What a device function returns in place of a number, and how a call's value is read of it. */
export function randomResult(
  writer: RandomWriter,
  value: string,
): { readonly returned: string; readonly read: string } {
  return writer.pick([
    { returned: value, read: '' },
    { returned: `{ a: ${cast(writer, 'i32')}, value: ${value} }`, read: '.value' },
    { returned: `[${cast(writer, 'f32')}, ${value}]`, read: '[1]' },
    { returned: `{ in: { a: true, value: ${value} }, z: [1, 2] }`, read: '.in.value' },
  ]);
}
