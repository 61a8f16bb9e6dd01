import type { CpuShape } from '../../abi/program.ts';

/** A variable, as the debug information has it. */
export interface Declared {
  readonly name: string;
  readonly shape: CpuShape;
}

interface Node {
  readonly kind: string;
  readonly text: string;
}

const NODE = /^!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$/;
const TUPLE = /^!(\d+) = (?:distinct )?!\{(.*)\}$/;
const GLOBAL = /^@("[^"]+"|[-\w.$]+) = .*!dbg !(\d+)/;
const NOTHING: CpuShape = { type: '', bytes: 0 };
/** Structures in structures, so far; and members of one. */
const DEEPEST = 5;
const MAX_MEMBERS = 64;

/** The shapes of a module's variables, from clang's debug information. */
export class Shapes {
  readonly #nodes = new Map<number, Node>();
  readonly #tuples = new Map<number, string>();
  readonly #globals = new Map<string, number>();
  readonly #locals: { readonly name: string; readonly text: string }[] = [];
  readonly #list: CpuShape[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const node = line.startsWith('!') ? NODE.exec(line) : undefined;
      const global = line.startsWith('@') ? GLOBAL.exec(line) : undefined;
      const tuple = line.startsWith('!') && !node ? TUPLE.exec(line) : undefined;
      if (node) this.#nodes.set(Number(node[1]), { kind: node[2] ?? '', text: node[3] ?? '' });
      else if (tuple) this.#tuples.set(Number(tuple[1]), tuple[2] ?? '');
      else if (global) this.#globals.set(global[1] ?? '', Number(global[2]));
    }
    for (const { kind, text } of this.#nodes.values()) {
      if (kind === 'DILocalVariable') this.#locals.push({ name: quoted(text, 'name'), text });
    }
  }

  /** All shapes that have a number. */
  get list(): readonly CpuShape[] {
    return this.#list;
  }

  /** The number of a shape in the list. */
  numberOf(shape: CpuShape): number {
    const key = JSON.stringify(shape);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const made = this.#list.push(shape) - 1;
    this.#numbers.set(key, made);
    return made;
  }

  /** A variable outside of functions, or a shared one. */
  ofGlobal(symbol: string): CpuShape | undefined {
    const expression = this.#nodes.get(this.#globals.get(symbol) ?? -1)?.text ?? '';
    const variable = this.#nodes.get(link(expression, 'var') ?? -1);
    return variable && this.#shape(link(variable.text, 'type'), 0);
  }

  /** A variable of some function that has this name and this size. */
  ofLocal(name: string, bytes: number): CpuShape | undefined {
    for (const local of this.#locals) {
      if (local.name !== name) continue;
      const shape = this.#shape(link(local.text, 'type'), 0);
      if (shape.bytes === bytes) return shape;
    }
    return undefined;
  }

  /** The pointer parameters of a function, with the shapes of their pointees, by position. */
  parametersOf(subprogram: number): ReadonlyMap<number, Declared> {
    const found = new Map<number, Declared>();
    for (const { name, text } of this.#locals) {
      const place = Number(/\barg: (\d+)/.exec(text)?.[1] ?? 0);
      if (place === 0 || link(text, 'scope') !== subprogram) continue;
      const target = this.#pointee(link(text, 'type'));
      if (target) found.set(place - 1, { name, shape: target });
    }
    return found;
  }

  #pointee(type: number | undefined): CpuShape | undefined {
    const { kind = '', text = '' } = this.#nodes.get(type ?? -1) ?? {};
    if (kind !== 'DIDerivedType') return undefined;
    const base = link(text, 'baseType');
    return /DW_TAG_(?:pointer|reference|rvalue_reference)_type/.test(text) ? this.#shape(base, 0) : this.#pointee(base);
  }

  #shape(type: number | undefined, depth: number): CpuShape {
    const { kind, text = '' } = this.#nodes.get(type ?? -1) ?? {};
    const bytes = number(text, 'size') / 8;
    const name = quoted(text, 'name');
    switch (kind) {
      case 'DIBasicType':
        return { type: name, bytes };
      case 'DIDerivedType': {
        if (text.includes('_reference_type') || text.includes('DW_TAG_pointer_type')) {
          const target = this.#shape(link(text, 'baseType'), DEEPEST).type;
          return { type: `${target === '' ? 'void' : target} *`, bytes: 8 };
        }
        const base = this.#shape(link(text, 'baseType'), depth);
        return name === '' || base.members || base.element ? base : { ...base, type: name };
      }
      case 'DICompositeType':
        return text.includes('DW_TAG_array_type') ? this.#array(text, bytes, depth) : this.#struct(text, bytes, depth);
      default:
        return NOTHING;
    }
  }

  #array(text: string, bytes: number, depth: number): CpuShape {
    const base = this.#shape(link(text, 'baseType'), depth);
    const counts = this.#items(text).map((item) => number(this.#nodes.get(item)?.text ?? '', 'count'));
    if (text.includes('DIFlagVector')) return { type: `${base.type}${counts[0] ?? ''}`, bytes };
    return counts.reverse().reduce<CpuShape>((element, count) => {
      const [, head = element.type, rest = ''] = /^([^[]*)(\[.*)?$/.exec(element.type) ?? [];
      return { type: `${head}[${count}]${rest}`, bytes: count * element.bytes, element };
    }, base);
  }

  #struct(text: string, bytes: number, depth: number): CpuShape {
    const type = quoted(text, 'name');
    const plain = { type, bytes };
    if (depth >= DEEPEST || /DW_TAG_(?:union|enumeration)_type/.test(text)) return plain;
    const fields = this.#items(text)
      .map((item) => this.#nodes.get(item)?.text ?? '')
      .filter((field) => /DW_TAG_(?:member|inheritance)\b/.test(field) && !field.includes('DIFlagStaticMember'));
    if (fields.length === 0 || fields.length > MAX_MEMBERS) return plain;
    const members = fields.map((field) => ({
      name: quoted(field, 'name'),
      offset: number(field, 'offset') / 8,
      shape: this.#shape(link(field, 'baseType'), depth + 1),
    }));
    return { ...plain, members };
  }

  #items(text: string): number[] {
    const list = this.#tuples.get(link(text, 'elements') ?? -1) ?? '';
    return [...list.matchAll(/!(\d+)/g)].map(([, item]) => Number(item));
  }
}

function link(text: string, field: string): number | undefined {
  const found = new RegExp(`\\b${field}: !(\\d+)`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function number(text: string, field: string): number {
  return Number(new RegExp(`\\b${field}: (\\d+)`).exec(text)?.[1] ?? 0);
}

function quoted(text: string, field: string): string {
  return new RegExp(`\\b${field}: "([^"]*)"`).exec(text)?.[1] ?? '';
}
