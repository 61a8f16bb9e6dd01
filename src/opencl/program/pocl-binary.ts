const MAGIC = 'poclbin\0';
/** The formats whose layout is known here: of PoCL 3.1, and of 4.0 to 7.1. */
const FORMATS: readonly number[] = [9, 11];
/** The newest format that a PoCL writes. PoCL reads a newer one as if it were this one. */
const NEWEST: readonly (readonly [drivers: RegExp, format: number])[] = [
  [/^3\.1\b/, 9],
  [/^(?:[4-6]\.\d|7\.[01])\b/, 11],
];

const FORMAT_AT = 16;
const KERNELS_AT = 20;
const FLAGS_AT = 24;
/** How many folders and files come before the kernels: one for a CPU, its code. */
const ENTRIES_AT = 32;
const HASH_AT = 36;
const HASH_BYTES = 41;
/** Among the flags of the whole: the size of the program's variables follows its hash. */
const HAS_VARIABLES = 1 << 1;
const VARIABLES_BYTES = 8;
/** Among those of a kernel, from format 11: sizes of work-groups, of sub-groups. */
const HAS_GROUP_SIZES = 1 << 1;
const HAS_SUBGROUP_SIZES = 1 << 2;
const GROUP_SIZES_BYTES = 20;
const SUBGROUP_SIZES_BYTES = 8;
/** A folder of PoCL's cache: the hash of the build. */
const HASH = /^[A-P]{2}\/[A-P]{37}\0$/;
/** Of one argument, besides its name and its type's. */
const ARGUMENT_BYTES = 24;
const KERNEL_BYTES = 20;
/** Sizes of a required work-group. */
const WORK_GROUP_BYTES = 24;
/** Of a file's name; PoCL puts the folder of its cache before it, in an array of a fixed length. */
const MAX_NAME = 512;

/**
 * The fault of a damaged binary of PoCL, which would end the process: PoCL trusts the sizes in it and has assertions about
 * the rest. Undefined for a valid binary, and for a binary of another driver. The code itself is not checked.
 *
 * @param driver - the version of the device's driver
 */
export function poclFault(binary: Uint8Array, driver: string): string | undefined {
  const start = Buffer.from(binary.buffer, binary.byteOffset, binary.byteLength);
  if (start.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    // A driver compares the whole mark, even of a binary that is shorter.
    return start.length < MAGIC.length && MAGIC.startsWith(start.toString('latin1')) ? CUT : undefined;
  }
  if (start.length < HASH_AT + HASH_BYTES) return CUT;
  const format = start.readUInt32LE(FORMAT_AT);
  const [, newest = Infinity] = NEWEST.find(([drivers]) => drivers.test(driver)) ?? [];
  if (format > newest) return `it says format ${format}; this PoCL's is ${newest}`;
  if (!FORMATS.includes(format)) return undefined;
  try {
    walk(new Walk(start, HASH_AT, start.length), format);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

const CUT = 'it is cut off';

class Fault extends Error {}

function expectThat(truth: boolean, fault: string): asserts truth {
  if (!truth) throw new Fault(fault);
}

function walk(all: Walk, format: number): void {
  const count = all.bytes.readUInt32LE(KERNELS_AT);
  const flags = all.bytes.readUInt32LE(FLAGS_AT);
  expectThat(HASH.test(all.text(HASH_BYTES)), 'the hash of its build is damaged');
  if (format > 9 && flags & HAS_VARIABLES) all.skip(VARIABLES_BYTES);
  for (let i = all.bytes.readUInt32LE(ENTRIES_AT); i > 0; i--) files(all.part(all.wide()), format);
  for (let i = 0; i < count; i++) kernel(all, i, format);
  expectThat(all.left === 0, `${all.left} bytes follow its last kernel`);
}

/** Sizes of the whole, of the files at its end and of the arguments before them; then the properties of the kernel. */
function kernel(all: Walk, index: number, format: number): void {
  const begin = all.at;
  const [whole, bytes] = [all.wide(), all.wide()];
  const about = all.word();
  const header = whole - bytes - about;
  expectThat(header >= KERNEL_BYTES && header <= whole, `the sizes of kernel ${index} do not fit together`);
  all.at = begin;
  const own = all.part(header);
  own.at += KERNEL_BYTES;
  expectThat(/^\w+$/.test(own.text(own.word())), `the name of kernel ${index} is damaged`);
  const [parameters, locals] = [own.word(), own.word()];
  own.skip(WORK_GROUP_BYTES + 8 * locals);
  own.skip(own.word());
  // In format 9 the first has 8 bytes, and there are no flags.
  own.word();
  const flags = own.word();
  if (format > 9 && flags & HAS_SUBGROUP_SIZES) own.skip(SUBGROUP_SIZES_BYTES);
  if (format > 9 && flags & HAS_GROUP_SIZES) own.skip(GROUP_SIZES_BYTES);
  expectThat(own.left === 0, `the sizes of kernel ${index} do not fit together`);
  const list = all.part(about);
  for (let i = 0; i < parameters; i++) {
    list.skip(ARGUMENT_BYTES);
    list.skip(list.word());
    list.skip(list.word());
  }
  expectThat(list.left === 0, `the arguments of kernel ${index} are damaged`);
  files(all.part(bytes), format);
}

/** Names and contents, to the end. */
function files(part: Walk, format: number): void {
  while (part.left > 0) {
    const name = part.text(part.word());
    const safe = name.length <= MAX_NAME && /^(?:\/[\w.+-]+)+$/.test(name) && !/\/\.{1,2}(?:\/|$)/.test(name);
    expectThat(safe, 'the name of a file in it is damaged');
    const length = part.word();
    expectThat(length > 0 || format > 9, `its file ${name} is empty`);
    part.skip(length);
  }
}

/** Reads a part from its start to its end, and never beyond. */
class Walk {
  readonly bytes: Buffer;
  readonly #end: number;
  at: number;

  constructor(bytes: Buffer, begin: number, end: number) {
    this.bytes = bytes;
    this.at = begin;
    this.#end = end;
  }

  get left(): number {
    return this.#end - this.at;
  }

  skip(count: number): void {
    expectThat(count <= this.left, CUT);
    this.at += count;
  }

  word(): number {
    this.skip(4);
    return this.bytes.readUInt32LE(this.at - 4);
  }

  wide(): number {
    this.skip(8);
    return Number(this.bytes.readBigUInt64LE(this.at - 8));
  }

  text(count: number): string {
    this.skip(count);
    return this.bytes.toString('latin1', this.at - count, this.at);
  }

  /** The next bytes, as a part of its own. */
  part(count: number): Walk {
    this.skip(count);
    return new Walk(this.bytes, this.at - count, this.at);
  }
}
