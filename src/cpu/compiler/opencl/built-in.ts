import { splitList, takeType } from '../ir/text.ts';
import { builtinType, type BuiltinType } from './builtin-types.ts';
import { demangle, mangle, withGenericSpace, type MangledType } from './mangling.ts';

/** One of OpenCL C's functions as a module declares it. */
export interface BuiltIn {
  readonly symbol: string;
  readonly name: string;
  readonly parameters: readonly MangledType[];
  /** LLVM's types of the parameters. */
  readonly types: readonly string[];
  /** LLVM's type of the result. */
  readonly result: string;
}

const DECLARATION = /^declare (?:!dbg !\d+ )?(.*?)@(_Z\w+)\((.*?)\)(?: [^)]*)?$/;

/** Read a line of a module that declares one of OpenCL C's functions. */
export function readBuiltIn(line: string): BuiltIn | undefined {
  const [, before = '', symbol = '', list = ''] = DECLARATION.exec(line) ?? [];
  const mangled = symbol === '' ? undefined : demangle(symbol);
  if (!mangled) return undefined;
  const types = splitList(list).map((text) => takeType(text).type);
  return { symbol, ...mangled, types, result: takeType(before).type };
}

/** `<4 x float>` → 4 and `float`; undefined for other types. */
export function vectorOf(type: string): { readonly count: number; readonly element: string } | undefined {
  const match = /^<(\d+) x (\w+)>$/.exec(type);
  return match ? { count: Number(match[1]), element: match[2] ?? '' } : undefined;
}

/** The number of vector elements of a parameter or of its pointee; 0 for a scalar. */
export function widthOf(type: MangledType): number {
  if (type.kind === 'pointer') return widthOf(type.to);
  return type.kind === 'vector' ? type.count : 0;
}

/** The same type for one element. */
export function elementOf(type: MangledType): MangledType {
  if (type.kind === 'pointer') return { ...type, to: elementOf(type.to) };
  return type.kind === 'vector' ? { kind: 'scalar', code: type.element } : type;
}

/** Writes the definition of a function in LLVM's text, with parameters `%a0`, `%a1`, … */
export class BuiltInWriter {
  readonly #of: BuiltIn;
  readonly #lines: string[] = [];
  readonly #needed = new Map<string, string>();
  #values = 0;

  constructor(of: BuiltIn) {
    this.#of = of;
  }

  /** An instruction; returns its value's name. */
  make(text: string): string {
    const name = `%v${this.#values++}`;
    this.#lines.push(`  ${name} = ${text}`);
    return name;
  }

  /** A line that makes no value. */
  line(text: string): void {
    this.#lines.push(`  ${text}`);
  }

  label(name: string): void {
    this.#lines.push(`${name}:`);
  }

  /** Element `index` of a vector. */
  extract(type: string, vector: string, index: number | string): string {
    return this.make(`extractelement ${type} ${vector}, i32 ${index}`);
  }

  /** A vector of elements. */
  gather(type: string, elements: readonly string[]): string {
    const element = vectorOf(type)?.element ?? '';
    return elements.reduce(
      (vector, one, i) => this.make(`insertelement ${type} ${vector}, ${element} ${one}, i32 ${i}`),
      'poison',
    );
  }

  /** The address of an element `by` elements behind another. */
  address(element: string, base: string, by: string | number): string {
    return this.make(`getelementptr ${element}, ptr ${base}, i64 ${by}`);
  }

  /** Call the library's function over scalars. */
  call(name: string, parameters: readonly MangledType[], values: readonly string[], result: string): string {
    const symbol = mangle(name, parameters);
    const types = parameters.map((type) => typeOf(type));
    const list = types.map(({ ir, extension }, i) => `${ir} ${extension}${values[i] ?? ''}`).join(', ');
    this.#needed.set(
      symbol,
      `declare ${result} @${symbol}(${types.map(({ ir, extension }) => `${ir} ${extension}`.trim()).join(', ')})`,
    );
    const text = `call ${result} @${symbol}(${list})`;
    if (result !== 'void') return this.make(text);
    this.line(text);
    return '';
  }

  /** A function that comes from outside, named as it is. */
  need(symbol: string, declaration: string): void {
    this.#needed.set(symbol, declaration);
  }

  /** The whole definition, which gives `value`. */
  finish(value: string): Definition {
    const { symbol, types, result } = this.#of;
    const list = types.map((type, i) => `${type} %a${i}`).join(', ');
    return {
      lines: [
        `define internal ${result} @${symbol}(${list}) alwaysinline nounwind {`,
        'entry:',
        ...this.#lines,
        result === 'void' ? '  ret void' : `  ret ${result} ${value}`,
        '}',
      ],
      needed: this.#needed,
    };
  }
}

/** A function's definition and the declarations of its callees. */
export interface Definition {
  readonly lines: readonly string[];
  readonly needed: ReadonlyMap<string, string>;
}

/** A parameter's type over scalars, as LLVM has it. */
function typeOf(type: MangledType): BuiltinType {
  const scalar = type.kind === 'scalar' ? builtinType(type.code) : undefined;
  return scalar ?? { ir: 'ptr', bytes: 8, extension: '' };
}

const CONVERSION = /^convert_(u?(?:char|short|int|long)|half|float|double)\d*((?:_sat)?)((?:_rt[ezpn])?)$/;

/**
 * The name of the library's function over scalars. The library has only conversions that differ: integers need no
 * rounding, conversions from floating point always saturate, and conversions to floating point round to nearest by
 * default.
 */
export function scalarName(name: string, from: MangledType | undefined): string {
  const [, to = '', saturated = '', rounding = ''] = CONVERSION.exec(name) ?? [];
  if (to === '') return name;
  const code = from?.kind === 'vector' ? from.element : from?.kind === 'scalar' ? from.code : '';
  if (/^(?:half|float|double)$/.test(to)) return `convert_${to}${rounding === '_rte' ? '' : rounding}`;
  if (/^(?:f|d|Dh)$/.test(code)) return `convert_${to}${rounding || '_rtz'}`;
  return `convert_${to}${saturated}`;
}

/** A call of the function is a call of the library's, which has one for all address spaces. */
export function libraryName({ symbol, name, parameters }: BuiltIn): string {
  const scalar = scalarName(name, parameters[0]);
  return scalar === name ? withGenericSpace(symbol) : mangle(scalar, parameters);
}
