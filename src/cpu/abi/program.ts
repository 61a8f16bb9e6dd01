import type { CheckMode } from '../../core/check-mode.ts';

/** One parameter of a kernel in its packed argument block. */
export interface CpuParameter {
  /** From the start of the block, in bytes. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** Of a pointer of a checked kernel: its name, and the number of the shape that it points to. */
  readonly name?: string;
  readonly shape?: number;
  /** PTX type of the parameter: `u64`, `f32`; `b8[12]` for bytes. */
  readonly ptx: string;
}

/** A kernel of a compiled program. */
export interface CpuKernel {
  readonly symbol: string;
  /** As the source has it; for a template with its arguments. */
  readonly name?: string;
  readonly parameters: readonly CpuParameter[];
  readonly argumentBytes: number;
  /**
   * The scratch memory of a block for each thread, in bytes. The number of threads is rounded up to a multiple of 16.
   */
  readonly contextBytes: number;
  /** The scratch memory of a block besides that, in bytes. */
  readonly contextFixed: number;
  /** Static `__shared__` memory. */
  readonly sharedBytes: number;
  /** Threads in a block, at most. */
  readonly maxThreads: number;
  /** Places where threads wait for each other. */
  readonly barriers: number;
  /** It may wait for its whole grid, so that it has an entry for cooperative launches. */
  readonly cooperative?: boolean;
  /** Further properties of a kernel in OpenCL C. */
  readonly opencl?: OpenCLKernel;
  /** Only of a checked kernel: the memory that it reaches by its pointer parameters. */
  readonly reach?: CpuReach;
}

/** The memory that a checked kernel reaches by its pointer parameters, by their numbers. */
export interface CpuReach {
  /** Those that its launch tells it the range of, in this order. */
  readonly parameters: readonly number[];
  /** Those by which it writes; undefined where it may also write other memory. */
  readonly written?: readonly number[];
  /** Whether it copies memory, so that bytes without a value may replace others. */
  readonly copies: boolean;
}

/** Sizes of a work-group. */
export type WorkGroupSize = readonly [x: number, y: number, z: number];

/** The properties that only a kernel in OpenCL C has. */
export interface OpenCLKernel {
  /** One for each parameter. */
  readonly arguments: readonly OpenCLArgument[];
  /** Where the launch record lies in the argument block: see `LaunchRecord`. */
  readonly launchOffset: number;
  readonly requiredSize?: WorkGroupSize;
  readonly sizeHint?: WorkGroupSize;
  /** As clGetKernelInfo gives them: `reqd_work_group_size(8,8,1)`. */
  readonly attributes: string;
  /** Work-items of a sub-group; the last one of a group may have fewer. */
  readonly subGroupSize: number;
}

/** A parameter of a kernel in OpenCL C, as clGetKernelArgInfo describes it. */
export interface OpenCLArgument {
  readonly name: string;
  /** `float*`, `uint`, `image2d_t` */
  readonly typeName: string;
  readonly space: 'global' | 'constant' | 'local' | 'private';
  readonly access: 'none' | 'read_only' | 'write_only' | 'read_write';
  readonly qualifiers: readonly ('const' | 'restrict' | 'volatile' | 'pipe')[];
  /** The content of its place in the argument block: bytes, an address, an offset into local memory, or a record. */
  readonly kind: 'value' | 'buffer' | 'local' | 'image' | 'sampler';
}

/** A `__device__`, `__constant__` or `__managed__` variable. */
export interface CpuVariable {
  readonly symbol: string;
  readonly byteLength: number;
  readonly constant: boolean;
  /** Whether it is `__managed__`: the host may use it at an address of its own. */
  readonly managed?: boolean;
}

/** A texture or surface reference: a variable that begins with a `ReferenceRecord`. */
export interface CpuReference {
  readonly symbol: string;
  /** For the host: as in the source; mangled for one in a namespace. */
  readonly name: string;
  readonly kind: 'texture' | 'surface';
  /** `ImageForm` */
  readonly form: number;
  /** Of a texture: what it is declared to read; undefined for a type that textures do not have. */
  readonly element?: ReferenceElement;
}

/** The elements of a texture reference's type. */
export interface ReferenceElement {
  /** Numbers of an element, and bytes of a number, as they are read. */
  readonly parts: number;
  readonly partBytes: number;
  /** The kind of the numbers in the texture. */
  readonly number: 'u' | 'i' | 'f';
  /** `cudaReadModeNormalizedFloat` */
  readonly readsFloats: boolean;
}

/** A place in the source. */
export interface CpuPlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly function: string;
  /** Where the function was called from, if it was inlined. */
  readonly inlinedAt?: CpuPlace;
}

/** A place in the source that a finding can speak of. */
export interface CpuSite extends CpuPlace {
  readonly kind: 'read' | 'write' | 'atomic' | 'barrier' | 'trap' | 'call' | 'variable' | 'shift' | 'index' | 'end';
  /** Bytes. */
  readonly size: number;
  /** An access by way of `volatile`. */
  readonly isVolatile?: true;
  /**
   * The variable or the private array of an access, if the code tells it; the shifted type of a shift, or the array's
   * type of an index.
   */
  readonly object?: CpuObject;
}

/** Something in a source that a finding can name. */
export interface CpuObject {
  readonly name: string;
  readonly bytes: number;
  /** The index of its shape in the program's list; for a pointer, the shape of the pointee. */
  readonly shape?: number;
  /** Of a pointer that a kernel is given: which of its parameters. */
  readonly parameter?: number;
  /** Of an index: the array's name, with `#` in the place of the index. */
  readonly variable?: string;
}

/** The type of a piece of memory, from which an offset gets its name. */
export interface CpuShape {
  /** As the source has it; '' where it has no name. */
  readonly type: string;
  readonly bytes: number;
  /** Of an array. */
  readonly element?: CpuShape;
  /** Of a structure; a base class has the name ''. */
  readonly members?: readonly { readonly name: string; readonly offset: number; readonly shape: CpuShape }[];
}

/** Compiled kernels for the CPU device. */
export interface CpuProgram {
  readonly wasm: Uint8Array;
  readonly kernels: readonly CpuKernel[];
  readonly variables: readonly CpuVariable[];
  /** Texture and surface references, by their numbers; undefined where there are none. */
  readonly references?: readonly CpuReference[] | undefined;
  /** The symbol of each name expression. */
  readonly lowered: Readonly<Record<string, string>>;
  readonly sites: readonly CpuSite[];
  /** Only in a checked program: its variables, and in `shapes` the shapes of variables and pointees. */
  readonly objects?: readonly CpuObject[] | undefined;
  readonly shapes?: readonly CpuShape[] | undefined;
  /** The architecture that it was compiled for: `sm_90` for machine code, `compute_80` for PTX. */
  readonly arch: string;
  /** The checks in its code. */
  readonly checked: false | CheckMode['checks'];
  readonly source: string;
  readonly file: string;
  /** Of a linked program: its other sources. */
  readonly others?: readonly CpuSource[] | undefined;
  /** Of a relocatable program, whose `wasm` is empty: LLVM's text of it, which a link makes code of. */
  readonly object?: string | undefined;
}

/** A source text under the name that messages have. */
export interface CpuSource {
  readonly source: string;
  readonly file: string;
}

/** The source of a program that has a name in messages. */
export function sourceNamed(program: CpuProgram | undefined, file: string | undefined): CpuSource | undefined {
  return program && [program, ...(program.others ?? [])].find((one) => one.file === file);
}

const HEADER_BYTES = 64;
const MAGIC = [0x7f, 0x45, 0x4c, 0x46];
const MARK = 'RKCPU-01';
const MARK_AT = 8;
const JSON_LENGTH_AT = 16;
const WASM_LENGTH_AT = 20;
const PTX_LINE = '// rawkernel.cpu ';
const PTX_LINE_BYTES = 96;
const PTX_REFERENCES = { texture: '.texref', surface: '.surfref' } as const;

/**
 * A program as a binary image. It has the form of an ELF file without sections, since a module's image may be ELF, and
 * its header has its length.
 */
export function encodeProgram(program: CpuProgram): Uint8Array {
  const { wasm, ...rest } = program;
  const json = new TextEncoder().encode(JSON.stringify(rest));
  const bytes = new Uint8Array(HEADER_BYTES + json.length + wasm.length);
  bytes.set(MAGIC);
  bytes.set(new TextEncoder().encode(MARK), MARK_AT);
  const view = new DataView(bytes.buffer);
  view.setUint32(JSON_LENGTH_AT, json.length, true);
  view.setUint32(WASM_LENGTH_AT, wasm.length, true);
  bytes.set(json, HEADER_BYTES);
  bytes.set(wasm, HEADER_BYTES + json.length);
  return bytes;
}

/**
 * The program in an image of {@link encodeProgram} or {@link pseudoPtx}. Undefined for any other image and for a
 * truncated one.
 */
export function decodeProgram(bytes: Uint8Array): CpuProgram | undefined {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) return decodePtx(bytes);
  if (bytes.length < HEADER_BYTES || textAt(bytes, MARK_AT, MARK.length) !== MARK) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wasmAt = HEADER_BYTES + view.getUint32(JSON_LENGTH_AT, true);
  const end = wasmAt + view.getUint32(WASM_LENGTH_AT, true);
  if (end > bytes.length) return undefined;
  const facts = factsIn(new TextDecoder().decode(bytes.subarray(HEADER_BYTES, wasmAt)));
  return facts && { ...facts, wasm: bytes.slice(wasmAt, end) };
}

/** The description in an image; undefined where it is damaged. */
function factsIn(json: string): Omit<CpuProgram, 'wasm'> | undefined {
  try {
    const facts = JSON.parse(json) as Partial<CpuProgram> | null;
    const lists = [facts?.kernels, facts?.variables, facts?.sites];
    const texts = [facts?.arch, facts?.source, facts?.file];
    const whole = lists.every((list) => Array.isArray(list)) && texts.every((text) => typeof text === 'string');
    return whole ? (facts as Omit<CpuProgram, 'wasm'>) : undefined;
  } catch {
    return undefined;
  }
}

/** The compute capability that code is for, ten times major plus minor: 90 for `sm_90a`. */
export function capabilityOf(arch: string): number {
  return Number(/\d+/.exec(arch)?.[0] ?? 0);
}

/**
 * A program as text in the style of PTX: the signatures of its kernels, and the whole image in comments. The text in
 * place of their code is not an instruction, so that a GPU's driver refuses it instead of loading empty kernels.
 */
export function pseudoPtx(program: CpuProgram): string {
  const image = Buffer.from(encodeProgram(program)).toString('base64');
  const target = `.target sm_${capabilityOf(program.arch)} // rawkernel's embedded CPU device`;
  const lines = ['.version 8.0', target, '.address_size 64', ''];
  for (const { symbol, byteLength, constant } of program.variables) {
    lines.push(`.visible ${constant ? '.const' : '.global'} .align 16 .b8 ${symbol}[${byteLength}];`);
  }
  for (const { name, kind } of program.references ?? []) lines.push(`.global ${PTX_REFERENCES[kind]} ${name};`);
  for (const { symbol, parameters } of program.kernels) {
    const list = parameters.map((parameter, i) => declare(parameter, `${symbol}_param_${i}`));
    lines.push(`.visible .entry ${symbol}(${list.join(', ')}) { for_the_embedded_cpu_device; }`);
  }
  lines.push('');
  for (let at = 0; at < image.length; at += PTX_LINE_BYTES) lines.push(PTX_LINE + image.slice(at, at + PTX_LINE_BYTES));
  return `${lines.join('\n')}\n`;
}

/** A declaration with the offset's greatest alignment, from which readers compute the same offset. */
function declare({ offset, ptx }: CpuParameter, name: string): string {
  const array = /^b8(\[\d+\])$/.exec(ptx)?.[1];
  if (array === undefined) return `.param .${ptx} ${name}`;
  return `.param .align ${offset === 0 ? 16 : offset & -offset} .b8 ${name}${array}`;
}

function decodePtx(bytes: Uint8Array): CpuProgram | undefined {
  if (!textAt(bytes, 0, 8).startsWith('.version')) return undefined;
  const text = new TextDecoder().decode(bytes);
  const start = text.indexOf(`\n${PTX_LINE}`);
  if (start < 0) return undefined;
  const image = text
    .slice(start)
    .split('\n')
    .filter((line) => line.startsWith(PTX_LINE))
    .map((line) => line.slice(PTX_LINE.length))
    .join('');
  const decoded = Buffer.from(image, 'base64');
  // The result must be an image, not text again.
  return decoded[0] === MAGIC[0] ? decodeProgram(decoded) : undefined;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
