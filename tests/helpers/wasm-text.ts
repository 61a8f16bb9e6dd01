import { body, functionType, list, name, signed, Type, unsigned, wasmOf, type TypeName } from './wasm-module.ts';

type Node = string | readonly Node[];

/** What follows an opcode: nothing, a number, or where something is that has a name. */
type Immediate = '' | 'local' | 'global' | 'function' | 'label' | 'number' | 'memory';

/** The instructions that tests use. */
const INSTRUCTIONS: Readonly<Record<string, readonly [immediate: Immediate, ...opcode: number[]]>> = {
  unreachable: ['', 0x00],
  br: ['label', 0x0c],
  br_if: ['label', 0x0d],
  call: ['function', 0x10],
  drop: ['', 0x1a],
  'local.get': ['local', 0x20],
  'local.set': ['local', 0x21],
  'global.get': ['global', 0x23],
  'global.set': ['global', 0x24],
  'i64.load': ['memory', 0x29],
  'i32.store': ['memory', 0x36],
  'i64.store': ['memory', 0x37],
  'i32.const': ['number', 0x41],
  'i64.const': ['number', 0x42],
  'i32.lt_u': ['', 0x49],
  'i64.lt_s': ['', 0x53],
  'i32.add': ['', 0x6a],
  'i32.mul': ['', 0x6c],
  'i32.shl': ['', 0x74],
  'i64.add': ['', 0x7c],
  'i32.wrap_i64': ['', 0xa7],
  'i32.atomic.load': ['memory', 0xfe, 0x10],
  'i32.atomic.rmw.add': ['memory', 0xfe, 0x1e],
};
const LOOP = [0x03, 0x40];
const END = 0x0b;

/** WebAssembly's text, as much of it as the tests' modules use: instructions are folded, and names are everywhere. */
export function assembleText(text: string): Uint8Array {
  const [, ...fields] = parse(text);
  return new Assembler(fields as Node[][]).module();
}

function parse(text: string): readonly Node[] {
  const stack: Node[][] = [[]];
  for (const [token] of text.matchAll(/[()]|"[^"]*"|[^\s()]+/g)) {
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const done = stack.pop() ?? [];
      stack.at(-1)?.push(done);
    } else stack.at(-1)?.push(token.replaceAll('"', ''));
  }
  return stack[0]?.[0] as readonly Node[];
}

/** Names of one kind and their numbers. */
class Names extends Map<string, number> {
  add(node: Node | undefined): number {
    const number = this.size;
    this.set(typeof node === 'string' && node.startsWith('$') ? node : `#${number}`, number);
    return number;
  }

  of(node: Node | undefined): number {
    const number = this.get(String(node)) ?? Number(node);
    if (Number.isNaN(number)) throw new Error(`unknown name ${String(node)}`);
    return number;
  }
}

class Assembler {
  readonly #fields: readonly (readonly Node[])[];
  readonly #functions = new Names();
  readonly #globals = new Names();
  readonly #types: number[][] = [];

  constructor(fields: readonly (readonly Node[])[]) {
    this.#fields = fields;
  }

  module(): Uint8Array {
    const of = (kind: string): (readonly Node[])[] => this.#fields.filter(([first]) => first === kind);
    const imports = of('import').map(([, from, what, item]) => [
      ...name(String(from)),
      ...name(String(what)),
      ...this.#import(item as readonly Node[]),
    ]);
    // A function may call one that comes later.
    const globals = of('global').map((field) => ({ field, number: this.#globals.add(field[1]) }));
    const functions = of('func').map((field) => ({ field, number: this.#functions.add(field[1]) }));
    const exports = [
      ...globals.flatMap(({ field, number }) => exportOf(field, 3, number)),
      ...functions.flatMap(({ field, number }) => exportOf(field, 0, number)),
    ];
    const types = functions.map(({ field }) => unsigned(this.#type(field)));
    return wasmOf(
      [1, list(this.#types)],
      [2, list(imports)],
      [3, list(types)],
      [6, list(globals.map(({ field }) => this.#global(field)))],
      [7, list(exports)],
      [10, list(functions.map(({ field }) => this.#function(field)))],
    );
  }

  #import([kind, symbol, ...rest]: readonly Node[]): number[] {
    switch (kind) {
      case 'memory':
        return [2, 3, ...unsigned(Number(symbol)), ...unsigned(Number(rest[0]))];
      case 'global':
        this.#globals.add(symbol);
        return [3, ...globalType(rest[0])];
      case 'func':
        this.#functions.add(symbol);
        return [0, ...unsigned(this.#type([kind, ...rest]))];
      default:
        throw new Error(`unknown import ${String(kind)}`);
    }
  }

  #type(field: readonly Node[]): number {
    const type = functionType(typesOf(field, 'param'), typesOf(field, 'result'));
    return this.#types.push(type) - 1;
  }

  #global(field: readonly Node[]): number[] {
    const [type, value] = field.filter((part) => part !== 'global' && !isNamed(part) && !isList(part, 'export'));
    return [...globalType(type), ...this.#instruction(value ?? [], new Names(), []), END];
  }

  #function(field: readonly Node[]): number[] {
    const locals = new Names();
    for (const part of [...listsOf(field, 'param'), ...listsOf(field, 'local')]) {
      if (isNamed(part[1])) locals.add(part[1]);
      else part.slice(1).forEach((type) => locals.add(type));
    }
    const declarations = ['export', 'param', 'result', 'local'];
    const code = field.slice(1).filter((part) => !isNamed(part) && !declarations.some((kind) => isList(part, kind)));
    return body(
      typesOf(field, 'local'),
      code.flatMap((one) => this.#instruction(one, locals, [])),
    );
  }

  #instruction(node: Node, locals: Names, labels: readonly Node[]): number[] {
    if (typeof node === 'string') return this.#instruction([node], locals, labels);
    const [op, ...rest] = node;
    if (op === 'loop') {
      const [label, ...inner] = isNamed(rest[0]) ? rest : ['', ...rest];
      return [...LOOP, ...inner.flatMap((one) => this.#instruction(one, locals, [label ?? '', ...labels])), END];
    }
    const [kind, ...opcode] = INSTRUCTIONS[String(op)] ?? [];
    if (kind === undefined) throw new Error(`unknown instruction ${String(op)}`);
    const word = rest.find((part) => typeof part === 'string') ?? '';
    const immediates = (): number[] => {
      switch (kind) {
        case '':
          return [];
        case 'local':
          return unsigned(locals.of(word));
        case 'global':
          return unsigned(this.#globals.of(word));
        case 'function':
          return unsigned(this.#functions.of(word));
        case 'label':
          return unsigned(labels.indexOf(word));
        case 'number':
          return signed(BigInt(word));
        case 'memory':
          return [...unsigned(String(op).startsWith('i64') ? 3 : 2), ...unsigned(Number(word.replace('offset=', '')))];
      }
    };
    const operands = rest.filter((part) => typeof part !== 'string');
    return [...operands.flatMap((one) => this.#instruction(one, locals, labels)), ...opcode, ...immediates()];
  }
}

function isNamed(part: Node | undefined): boolean {
  return typeof part === 'string' && part.startsWith('$');
}

function isList(part: Node, kind: string): part is readonly Node[] {
  return typeof part !== 'string' && part[0] === kind;
}

function listsOf(field: readonly Node[], kind: string): (readonly Node[])[] {
  return field.filter((part): part is readonly Node[] => isList(part, kind));
}

function typesOf(field: readonly Node[], kind: string): TypeName[] {
  return listsOf(field, kind).flatMap((part) => part.slice(1).filter((type): type is TypeName => String(type) in Type));
}

function globalType(node: Node | undefined): number[] {
  const [type, mutable] = typeof node === 'string' ? [node, 0] : [node?.[1], 1];
  return [Type[type as TypeName], mutable];
}

function exportOf(field: readonly Node[], kind: number, number: number): number[][] {
  return listsOf(field, 'export').map(([, symbol]) => [...name(String(symbol)), kind, ...unsigned(number)]);
}
