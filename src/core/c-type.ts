import { CUDA_ALIASES, CUDA_SCALARS, CUDA_VECTORS, OPENCL_ALIASES, OPENCL_SCALARS } from './c-scalars.ts';
import { dtypes, type DType } from './dtype.ts';

export type Dialect = 'cuda' | 'opencl';

export interface CType {
  /** Canonical C spelling: `const float *`, `unsigned int`, `float (*)[3]`; never with address space or restrict. */
  readonly text: string;
  /** `named`: a struct, an enum, a typedef we cannot see through, a reference. */
  readonly kind: 'int' | 'float' | 'bool' | 'pointer' | 'vector' | 'named';
  /** Bytes, where known. */
  readonly size: number | undefined;
  readonly align: number | undefined;
  /** Of an int, or of a vector's element. */
  readonly signed: boolean;
  /** 1 except for vectors. */
  readonly lanes: number;
  /** A vector's element or a pointer's pointee. */
  readonly element: string | undefined;
  /** Where an OpenCL pointer points, if the source says so. */
  readonly space?: AddressSpace;
}

export type AddressSpace = 'global' | 'local' | 'constant' | 'private';

/** Bits: 1 const, 2 volatile. */
export type Qualifiers = number;

/** A type under construction; the declarator goes between `pre` and `post`. */
export interface TypeNode {
  readonly form: 'base' | 'pointer' | 'reference' | 'member' | 'array' | 'function';
  readonly pre: string;
  readonly post: string;
  /** `pre` ends in a symbol, so no space follows it. */
  readonly tight: boolean;
  readonly cv: Qualifiers;
  readonly mark: string;
  readonly of: TypeNode | undefined;
  readonly plain: Plain | undefined;
  readonly space: AddressSpace | undefined;
}

/** Thrown inside the readers of this folder and caught there: the text is beyond us. */
export class Unreadable extends Error {}

type Plain = Omit<CType, 'text' | 'space'>;

const LONGEST = 4096;
const WORDS = ['', 'const', 'volatile', 'const volatile'];

export function namedType(text: string): TypeNode {
  return baseNode(text, undefined, 0, undefined);
}

/** The node of a name that the dialect itself defines; aliases give the type they stand for. */
export function builtinType(name: string, dialect: Dialect): TypeNode | undefined {
  const aliases: Readonly<Record<string, string>> = dialect === 'cuda' ? CUDA_ALIASES : OPENCL_ALIASES;
  const spelled = (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name;
  const plain = (dialect === 'cuda' ? CUDA : OPENCL).get(spelled);
  return plain || spelled === 'void' ? baseNode(spelled, plain, 0, undefined) : undefined;
}

export function pointerTo(of: TypeNode): TypeNode {
  return marked('pointer', of, '*', 0);
}

export function referenceTo(of: TypeNode, mark: '&' | '&&'): TypeNode {
  if (of.form !== 'reference') return marked('reference', of, mark, 0);
  return of.mark === '&' || !of.of || mark === '&&' ? of : marked('reference', of.of, '&', 0);
}

export function memberOf(owner: string, of: TypeNode): TypeNode {
  return marked('member', of, `${owner}::*`, 0);
}

export function arrayOf(of: TypeNode, bound: string): TypeNode {
  return limited({ ...of, form: 'array', post: `[${bound}]${of.post}`, of, cv: 0, mark: bound, plain: undefined });
}

export function functionOf(result: TypeNode, parameters: readonly string[]): TypeNode {
  const post = `(${parameters.join(', ')})${result.post}`;
  return limited({
    ...result,
    form: 'function',
    post,
    of: result,
    cv: 0,
    mark: '',
    plain: undefined,
    space: undefined,
  });
}

export function qualify(node: TypeNode, cv: Qualifiers): TypeNode {
  const both = node.cv | cv;
  if (both === node.cv) return node;
  if (node.form === 'base') return baseNode(node.mark, node.plain, both, node.space);
  if (node.form === 'array' && node.of) return arrayOf(qualify(node.of, cv), node.mark);
  if ((node.form === 'pointer' || node.form === 'member') && node.of) {
    return { ...marked(node.form, node.of, node.mark, both), space: node.space };
  }
  return node;
}

export function placeIn(node: TypeNode, space: AddressSpace | undefined): TypeNode {
  return space ? { ...node, space } : node;
}

export function spell(node: TypeNode): string {
  return node.pre + (node.form === 'function' && !node.tight ? ' ' : '') + node.post;
}

/** What a function receives when its parameter is declared so: arrays and functions decay, outer const goes. */
export function parameterNode(node: TypeNode): TypeNode {
  if (node.form === 'array' && node.of) return pointerTo(node.of);
  if (node.form === 'function') return pointerTo(node);
  if (node.cv === 0) return node;
  if (node.form === 'base') return baseNode(node.mark, node.plain, 0, node.space);
  return node.of ? marked(node.form, node.of, node.mark, 0) : node;
}

/** Of a text that cannot be read. */
export function unknownType(text: string): CType {
  return { text, ...row('named', undefined) };
}

export function parameterType(declared: TypeNode): CType {
  const node = parameterNode(declared);
  const text = spell(node);
  if (node.form === 'pointer' && node.of) {
    const pointer = { text, ...row('pointer', 8), element: spell(node.of) };
    return node.of.space ? { ...pointer, space: node.of.space } : pointer;
  }
  return { text, ...(node.plain ?? row('named', undefined)) };
}

function baseNode(text: string, plain: Plain | undefined, cv: Qualifiers, space: AddressSpace | undefined): TypeNode {
  const pre = cv ? `${WORDS[cv] ?? ''} ${text}` : text;
  return limited({ form: 'base', pre, post: '', tight: false, cv, mark: text, of: undefined, plain, space });
}

function marked(form: TypeNode['form'], of: TypeNode, mark: string, cv: Qualifiers): TypeNode {
  const wrapped = of.form === 'array' || of.form === 'function';
  const pre = `${of.pre}${of.tight ? '' : ' '}${wrapped ? '(' : ''}${mark}${WORDS[cv] ?? ''}`;
  const post = wrapped ? `)${of.post}` : of.post;
  return limited({ form, pre, post, tight: cv === 0, cv, mark, of, plain: undefined, space: undefined });
}

// Substitutions in a mangled name can double a spelling with every few characters.
function limited(node: TypeNode): TypeNode {
  if (node.pre.length + node.post.length > LONGEST) throw new Unreadable('too long');
  return node;
}

function row(kind: CType['kind'], size: number | undefined, signed = false, align: number | undefined = size): Plain {
  return { kind, size, align, signed, lanes: 1, element: undefined };
}

const CUDA: ReadonlyMap<string, Plain> = cudaTypes();
const OPENCL: ReadonlyMap<string, Plain> = openclTypes();

function cudaTypes(): Map<string, Plain> {
  const types = new Map<string, Plain>([['bool', row('bool', 1)]]);
  for (const [name, dtype] of Object.entries(CUDA_SCALARS)) types.set(name, scalar(dtype));
  for (const [stem, element] of Object.entries(CUDA_VECTORS)) {
    const { size, signed } = dtypes[CUDA_SCALARS[element]];
    addCudaVectors(types, stem, element, size, signed);
  }
  types.set('__int128', row('int', 16, true)).set('unsigned __int128', row('int', 16));
  for (const name of ['_Float128', '__float128']) types.set(name, row('float', 16, true));
  types.set('long double', row('float', undefined, true));
  for (const name of ['__half', '__nv_bfloat16']) {
    types.set(`${name}2`, { ...row('vector', 4, true), lanes: 2, element: name });
  }
  return types.set('dim3', row('named', 12, false, 4));
}

function scalar(dtype: DType): Plain {
  const { kind, size, signed } = dtypes[dtype];
  return row(kind, size, signed);
}

function addCudaVectors(types: Map<string, Plain>, stem: string, element: string, size: number, signed: boolean): void {
  for (const lanes of [1, 2, 3, 4]) {
    const align = lanes === 3 ? size : Math.min(16, size * lanes);
    types.set(`${stem}${lanes}`, { ...row('vector', size * lanes, signed, align), lanes, element });
  }
  if (size < 8) return;
  for (const align of [16, 32]) {
    types.set(`${stem}4_${align}a`, { ...row('vector', 32, signed, align), lanes: 4, element });
  }
}

function openclTypes(): Map<string, Plain> {
  // The host cannot know the device's bool and size_t, and no kernel may take them.
  const types = new Map<string, Plain>([['bool', row('bool', undefined)]]);
  for (const name of ['size_t', 'uintptr_t']) types.set(name, row('int', undefined));
  for (const name of ['ptrdiff_t', 'intptr_t']) types.set(name, row('int', undefined, true));
  for (const [name, dtype] of Object.entries(OPENCL_SCALARS)) {
    const { size, signed } = dtypes[dtype];
    types.set(name, scalar(dtype));
    for (const lanes of [2, 3, 4, 8, 16]) {
      const bytes = size * (lanes === 3 ? 4 : lanes);
      types.set(`${name}${lanes}`, { ...row('vector', bytes, signed), lanes, element: name });
    }
  }
  return types;
}
