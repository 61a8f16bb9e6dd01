import { exponentText, fixedText, generalText, hexFloatText } from './float-text.ts';

/** The memory that a kernel sees. */
export interface PrintMemory {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

interface Directive {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly zero: boolean;
  readonly width: number;
  /** Undefined where none was given. */
  readonly precision: number | undefined;
  readonly size: string;
  readonly conversion: string;
  /** Elements of a vector of OpenCL C; 1 for a scalar. */
  readonly elements: number;
}

/** The result of a printf. */
export interface Printed {
  /** One character a byte. */
  readonly text: string;
  /** How many directives it had. */
  readonly directives: number;
}

const DIRECTIVE =
  /%([-+ #0]*)(\*|\d+)?(?:\.(\*|-?\d+)?)?(?:v(2|3|4|8|16))?(hh|hl|h|ll|l|j|z|t|L)?([diouxXcspeEfFgGaA%])/y;
/** The most characters of one conversion; a longer result is cut. */
const MAX = 1 << 16;

/** The arguments of a call as clang lays them out for WebAssembly: one after another, each aligned to its own size. */
class Arguments {
  readonly #view: DataView;
  #at: number;

  constructor(view: DataView, address: number) {
    this.#view = view;
    this.#at = address;
  }

  int(): number {
    return this.#view.getInt32(this.#next(4), true);
  }

  wide(): bigint {
    return this.#view.getBigUint64(this.#next(8), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#next(8), true);
  }

  #next(bytes: 4 | 8): number {
    const at = (this.#at + bytes - 1) & -bytes;
    this.#at = at + bytes;
    return at >>> 0;
  }
}

/**
 * Format like C's printf, with CUDA's extensions and limits and with OpenCL's vectors.
 *
 * @param format - the address of the format, text up to a NUL
 * @param list - the address of the arguments
 */
export function formatPrint(memory: PrintMemory, format: number, list: number): Printed {
  const pattern = textAt(memory, format);
  const args = new Arguments(memory.view, list);
  let text = '';
  let directives = 0;
  for (let at = 0; at < pattern.length;) {
    const next = pattern.indexOf('%', at);
    if (next < 0) {
      text += pattern.slice(at);
      break;
    }
    text += pattern.slice(at, next);
    DIRECTIVE.lastIndex = next;
    const match = DIRECTIVE.exec(pattern);
    if (!match) {
      text += '%';
      at = next + 1;
      continue;
    }
    at = DIRECTIVE.lastIndex;
    if (match[6] === '%') {
      // As on a GPU, nothing may stand between.
      text += match[0] === '%%' ? '%' : match[0];
      continue;
    }
    directives++;
    const directive = read(match, args);
    // The compiler passes a vector's elements one by one.
    const elements = Array.from({ length: directive.elements }, () => convert(directive, args, memory));
    text += elements.join();
  }
  return { text, directives };
}

function read(match: RegExpExecArray, args: Arguments): Directive {
  const [all, flags = '', widthText = '', precisionText, elements = '1', length = '', conversion = ''] = match;
  const width = widthText === '*' ? args.int() : Number(widthText);
  const dot = all.includes('.');
  const given = precisionText === '*' ? args.int() : Number(precisionText ?? 0);
  return {
    left: flags.includes('-') || width < 0,
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
    zero: flags.includes('0'),
    width: Math.min(MAX, Math.abs(width)),
    // A negative precision counts as none.
    precision: dot && given >= 0 ? Math.min(MAX, given) : undefined,
    // Of a vector's elements, `hl` are as wide as int or float.
    size: length === 'hl' ? '' : length,
    conversion,
    elements: Number(elements),
  };
}

function convert(directive: Directive, args: Arguments, memory: PrintMemory): string {
  switch (directive.conversion) {
    case 'd':
    case 'i':
      return signed(directive, integer(directive.size, args, true));
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return unsigned(directive, integer(directive.size, args, false));
    case 'c':
      return pad(directive, '', String.fromCharCode(args.int() & 0xff), false);
    case 's':
      return pad(directive, '', string(directive, Number(args.wide()), memory), false);
    case 'p': {
      const address = args.wide();
      return pad(directive, '', address === 0n ? '(nil)' : `0x${address.toString(16)}`, false);
    }
    default:
      return float(directive, args.double());
  }
}

function integer(size: string, args: Arguments, isSigned: boolean): bigint {
  if (size === '' || size === 'h' || size === 'hh') {
    const bits = size === '' ? 32 : size === 'h' ? 16 : 8;
    const value = BigInt(args.int());
    return isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  }
  const value = args.wide();
  return isSigned ? BigInt.asIntN(64, value) : value;
}

function signed(directive: Directive, value: bigint): string {
  const digits = digitsOf(directive, value < 0n ? -value : value, 10);
  return pad(directive, signOf(directive, value < 0n), digits, directive.precision === undefined);
}

function unsigned(directive: Directive, value: bigint): string {
  const { conversion, alternate, precision } = directive;
  const base = conversion === 'u' ? 10 : conversion === 'o' ? 8 : 16;
  let digits = digitsOf(directive, value, base);
  let prefix = '';
  if (alternate && base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
  if (alternate && base === 16 && value !== 0n) prefix = '0x';
  if (conversion === 'X') {
    digits = digits.toUpperCase();
    prefix = prefix.toUpperCase();
  }
  return pad(directive, prefix, digits, precision === undefined);
}

function digitsOf({ precision = 1 }: Directive, value: bigint, base: number): string {
  if (value === 0n && precision === 0) return '';
  return value.toString(base).padStart(precision, '0');
}

function float(directive: Directive, value: number): string {
  const { conversion, alternate, precision } = directive;
  const negative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  let text: string;
  let prefix = '';
  if (!Number.isFinite(value)) {
    text = Number.isNaN(value) ? 'nan' : 'inf';
  } else {
    switch (conversion.toLowerCase()) {
      case 'f':
        text = fixedText(size, precision ?? 6, alternate);
        break;
      case 'e':
        text = exponentText(size, precision ?? 6, alternate);
        break;
      case 'g':
        text = generalText(size, precision ?? 6, alternate);
        break;
      default:
        prefix = '0x';
        text = hexFloatText(size, precision, alternate);
    }
  }
  const upper = conversion !== conversion.toLowerCase();
  const shown = upper ? text.toUpperCase() : text;
  return pad(
    directive,
    signOf(directive, negative) + (upper ? prefix.toUpperCase() : prefix),
    shown,
    Number.isFinite(value),
  );
}

function signOf({ plus, space }: Directive, negative: boolean): string {
  return negative ? '-' : plus ? '+' : space ? ' ' : '';
}

/** Bring it to its width: blanks on one side, or zeros between the prefix and the digits. */
function pad({ left, zero, width }: Directive, prefix: string, text: string, zeros: boolean): string {
  if (left) return (prefix + text).padEnd(width);
  if (zero && zeros) return prefix + text.padStart(width - prefix.length, '0');
  return (prefix + text).padStart(width);
}

function string({ precision }: Directive, address: number, memory: PrintMemory): string {
  const text = address === 0 ? '(null)' : textAt(memory, address);
  return precision === undefined ? text : text.slice(0, precision);
}

/** Text up to its NUL, one character a byte. */
export function textAt({ bytes }: PrintMemory, address: number): string {
  let end = address;
  while (end < bytes.length && bytes[end] !== 0 && end - address < MAX) end++;
  let text = '';
  for (let at = address; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}
