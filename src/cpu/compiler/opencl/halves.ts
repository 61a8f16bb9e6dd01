import { closing, splitList, takeType } from '../ir/text.ts';

// LLVM's WebAssembly back end lowers halves late, and handles comparisons of vectors of halves and their bits wrongly.
// So halves are lowered before: their bits are integers, and their arithmetic is that of floats, whose results, rounded
// to halves, are correct.

const HALF = /\bhalf\b/;
const OPERATION = /^( +)(%[-\w.$"]+) = (fadd|fsub|fmul|fdiv|frem|fneg|fcmp|fpext|fptrunc|fpto[us]i|[us]itofp) (.*)$/;
const CALL = /^( +)(%[-\w.$"]+) = ((?:tail )?call )(.*?)(@llvm\.[\w.]*f16[\w.]*)\(/;
const FAST = /\b(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) /g;
const QUOTED = /("(?:[^"\\]|\\.)*")/;

/** A module's lines without the type `half`. */
export function withoutHalves(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => HALF.test(line))) return lines;
  const writer = new HalfWriter();
  for (const line of lines) writer.write(line);
  return writer.finish();
}

class HalfWriter {
  readonly #lines: string[] = [];
  readonly #needed = new Map<string, string>();
  #values = 0;

  write(line: string): void {
    if (!line.includes('half') && !line.includes('f16')) this.#lines.push(line);
    else if (/^declare .*@llvm\.[\w.]*f16/.test(line)) return;
    else if (!this.#operation(line) && !this.#intrinsic(line)) this.#lines.push(moved(line));
  }

  finish(): string[] {
    const declared = new Set(this.#lines.map((line) => /^declare .*?@([\w.]+)\(/.exec(line)?.[1]));
    for (const [name, declaration] of this.#needed) if (!declared.has(name)) this.#lines.push(declaration);
    return this.#lines;
  }

  #operation(line: string): boolean {
    const [, , result = '', op = '', rest = ''] = OPERATION.exec(line) ?? [];
    if (op === '') return false;
    const [first = '', ...others] = splitList(rest);
    const { type, rest: value } = takeType(first);
    const flags = first.slice(0, first.length - value.length).replace(type, '');
    const more = others
      .filter((one) => one.startsWith('!'))
      .map((one) => `, ${one}`)
      .join('');
    const cast = / to ([^,]*)$/.exec(value);
    const to = cast?.[1] ?? '';
    if (!HALF.test(type) && !HALF.test(to)) return false;
    const operand = value.slice(0, cast?.index);
    if (op === 'fneg')
      this.#give(result, `xor ${bitsType(type)} ${moved(operand)}, ${all(type, 'i16', -32768)}${more}`);
    else if (op === 'fptrunc') this.#set(result, this.#down(type, to, operand));
    else if (op === 'fpext' && !/double/.test(to)) this.#set(result, this.#up(type, operand));
    else if (HALF.test(to))
      this.#set(
        result,
        this.#down(floatType(to), to, this.#make(`${op} ${type} ${operand} to ${floatType(to)}${more}`)),
      );
    else if (cast) this.#give(result, `${op} ${floatType(type)} ${this.#up(type, operand)} to ${to}${more}`);
    else {
      const second = others.find((one) => !one.startsWith('!')) ?? '';
      const text = `${op} ${flags}${floatType(type)} ${this.#up(type, operand)}, ${this.#up(type, second)}${more}`;
      if (op === 'fcmp') this.#give(result, text);
      else this.#set(result, this.#down(floatType(type), type, this.#make(text)));
    }
    return true;
  }

  #intrinsic(line: string): boolean {
    const match = CALL.exec(line);
    if (!match) return false;
    const [head, , result = '', call = '', before = '', symbol = ''] = match;
    const { type } = takeType(before);
    const end = closing(line, head.length - 1);
    const args = splitList(line.slice(head.length, end - 1)).map((one) => {
      const { type: own, rest } = takeType(one);
      return { type: own, value: valueOf(rest) };
    });
    const [first, second] = args;
    if (!first) return false;
    const { type: own, value } = first;
    if (symbol.startsWith('@llvm.fabs.')) {
      this.#give(result, `and ${bitsType(own)} ${moved(value)}, ${all(own, 'i16', 32767)}`);
    } else if (symbol.startsWith('@llvm.copysign.')) {
      const size = this.#make(`and ${bitsType(own)} ${moved(value)}, ${all(own, 'i16', 32767)}`);
      const sign = this.#make(`and ${bitsType(own)} ${moved(second?.value ?? '')}, ${all(own, 'i16', -32768)}`);
      this.#give(result, `or ${bitsType(own)} ${size}, ${sign}`);
    } else if (symbol.startsWith('@llvm.is.fpclass.')) {
      this.#classes(result, own, moved(value), Number(second?.value));
    } else {
      const list = args.map((one) =>
        HALF.test(one.type) ? `${floatType(one.type)} ${this.#up(one.type, one.value)}` : `${one.type} ${one.value}`,
      );
      const name = symbol.replace(/f16/g, 'f32');
      const types = args.map((one) => floatType(one.type)).join(', ');
      this.#needed.set(name.slice(1), `declare ${floatType(type)} ${name}(${types})`);
      const rest = line.slice(end).replace(/ #\d+/, '');
      const text = `${call}${before.replace(type, floatType(type))}${name}(${list.join(', ')})${rest}`;
      if (HALF.test(type)) this.#set(result, this.#down(floatType(type), type, this.#make(text)));
      else this.#give(result, text);
    }
    return true;
  }

  /** Which of a half's classes, by LLVM's numbers of them, it is in. */
  #classes(result: string, type: string, value: string, classes: number): void {
    const bits = bitsType(type);
    // Of each class the least and the greatest bits.
    const ranges = [
      ...[
        [0x7c01, 0x7dff, 0xfc01, 0xfdff],
        [0x7e00, 0x7fff, 0xfe00, 0xffff],
        [0xfc00, 0xfc00],
        [0x8400, 0xfbff],
      ],
      ...[
        [0x8001, 0x83ff],
        [0x8000, 0x8000],
        [0, 0],
        [1, 0x3ff],
        [0x400, 0x7bff],
        [0x7c00, 0x7c00],
      ],
    ];
    let found = all(type, 'i1', 0);
    ranges.forEach((list, i) => {
      if ((classes & (1 << i)) === 0) return;
      for (let k = 0; k < list.length; k += 2) {
        const [least = 0, most = 0] = list.slice(k);
        const from = this.#make(`sub ${bits} ${value}, ${all(type, 'i16', least)}`);
        const within = this.#make(`icmp ule ${bits} ${from}, ${all(type, 'i16', most - least)}`);
        found = this.#make(`or ${withElement(type, 'i1')} ${found}, ${within}`);
      }
    });
    this.#give(result, `or ${withElement(type, 'i1')} ${found}, ${all(type, 'i1', 0)}`);
  }

  /** The float that a half is. */
  #up(type: string, half: string): string {
    const words = withElement(type, 'i32');
    const floats = floatType(type);
    const n = (value: number): string => all(type, 'i32', value);
    const wide = this.#make(`zext ${bitsType(type)} ${moved(half)} to ${words}`);
    const size = this.#make(`and ${words} ${wide}, ${n(0x7fff)}`);
    // A product normalises denormals and so gives right exponents, except for values that are not finite.
    const small = this.#make(`bitcast ${words} ${this.#make(`shl ${words} ${size}, ${n(13)}`)} to ${floats}`);
    const scaled = this.#make(`fmul ${floats} ${small}, ${all(type, 'float', '0x46F0000000000000')}`);
    const finite = this.#make(`bitcast ${floats} ${scaled} to ${words}`);
    const other = this.#make(`or ${words} ${finite}, ${n(0x7f800000)}`);
    const isFinite = this.#make(`icmp ult ${words} ${size}, ${n(0x7c00)}`);
    const bits = this.#choose(type, isFinite, words, finite, other);
    const sign = this.#make(`shl ${words} ${this.#make(`and ${words} ${wide}, ${n(0x8000)}`)}, ${n(16)}`);
    return this.#make(`bitcast ${words} ${this.#make(`or ${words} ${bits}, ${sign}`)} to ${floats}`);
  }

  /** The half that is nearest to a float or a double. */
  #down(from: string, to: string, value: string): string {
    const words = withElement(to, 'i32');
    const floats = floatType(to);
    const n = (number: number): string => all(to, 'i32', number);
    const whole = /double/.test(from) ? this.#odd(to, value) : this.#make(`bitcast ${floats} ${value} to ${words}`);
    const high = this.#make(`lshr ${words} ${whole}, ${n(16)}`);
    const sign = this.#make(`and ${words} ${high}, ${n(0x8000)}`);
    const size = this.#make(`and ${words} ${whole}, ${n(0x7fffffff)}`);
    const cut = this.#make(`lshr ${words} ${size}, ${n(13)}`);
    const odd = this.#make(`and ${words} ${cut}, ${n(1)}`);
    const moving = this.#make(`add ${words} ${size}, ${n(0xfff - 0x38000000)}`);
    const normal = this.#make(`lshr ${words} ${this.#make(`add ${words} ${moving}, ${odd}`)}, ${n(13)}`);
    // The sum with a half has its last digit where a denormal has it.
    const asFloat = this.#make(`bitcast ${words} ${size} to ${floats}`);
    const sum = this.#make(`fadd ${floats} ${asFloat}, ${all(to, 'float', '5.000000e-01')}`);
    const sumBits = this.#make(`bitcast ${floats} ${sum} to ${words}`);
    const denormal = this.#make(`sub ${words} ${sumBits}, ${n(0x3f000000)}`);
    const payload = this.#make(`and ${words} ${cut}, ${n(0x1ff)}`);
    const nan = this.#make(`or ${words} ${payload}, ${n(0x7e00)}`);
    const isNan = this.#make(`icmp ugt ${words} ${size}, ${n(0x7f800000)}`);
    const special = this.#choose(to, isNan, words, nan, n(0x7c00));
    const isSmall = this.#make(`icmp ult ${words} ${size}, ${n(0x38800000)}`);
    const isLarge = this.#make(`icmp uge ${words} ${size}, ${n(0x47800000)}`);
    const finite = this.#choose(to, isSmall, words, denormal, normal);
    const bits = this.#choose(to, isLarge, words, special, finite);
    return this.#make(`trunc ${words} ${this.#make(`or ${words} ${bits}, ${sign}`)} to ${bitsType(to)}`);
  }

  /** Bits of a float near a double, rounded to odd if inexact, so that it can be rounded once more. */
  #odd(to: string, value: string): string {
    const words = withElement(to, 'i32');
    const longs = withElement(to, 'i64');
    const [doubles, floats, flags] = [withElement(to, 'double'), floatType(to), withElement(to, 'i1')];
    const near = this.#make(`fptrunc ${doubles} ${value} to ${floats}`);
    const back = this.#make(`fpext ${floats} ${near} to ${doubles}`);
    const bits = this.#make(`bitcast ${floats} ${near} to ${words}`);
    const differs = this.#make(`fcmp one ${doubles} ${back}, ${value}`);
    const less = this.#make(`fcmp olt ${doubles} ${back}, ${value}`);
    const whole = this.#make(`bitcast ${doubles} ${value} to ${longs}`);
    const negative = this.#make(`icmp slt ${longs} ${whole}, ${all(to, 'i64', 0)}`);
    const outwards = this.#make(`xor ${flags} ${less}, ${negative}`);
    const last = this.#make(`and ${words} ${bits}, ${all(to, 'i32', 1)}`);
    const even = this.#make(`icmp eq ${words} ${last}, ${all(to, 'i32', 0)}`);
    const step = this.#choose(to, outwards, words, all(to, 'i32', 1), all(to, 'i32', -1));
    const moves = this.#make(`and ${flags} ${differs}, ${even}`);
    return this.#make(`add ${words} ${bits}, ${this.#choose(to, moves, words, step, all(to, 'i32', 0))}`);
  }

  #choose(like: string, condition: string, type: string, yes: string, no: string): string {
    return this.#make(`select ${withElement(like, 'i1')} ${condition}, ${type} ${yes}, ${type} ${no}`);
  }

  #make(text: string): string {
    const name = `%rk.half${this.#values++}`;
    this.#give(name, text);
    return name;
  }

  #give(name: string, text: string): void {
    this.#lines.push(`  ${name} = ${text}`);
  }

  /** A value that was made becomes an instruction's result. */
  #set(result: string, made: string): void {
    const last = this.#lines.pop() ?? '';
    this.#lines.push(last.replace(`${made} =`, `${result} =`));
  }
}

/** A line that only stores or moves halves, with integers in their place. */
function moved(line: string): string {
  if (!line.includes('half') && !line.includes('0xH')) return line;
  return line
    .split(QUOTED)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part
            .replace(/ nofpclass\([^)]*\)/g, '')
            .replace(
              /(\b(?:phi|select|call) )(.*\bhalf\b)/,
              (_, op: string, rest: string) => op + rest.replace(FAST, ''),
            )
            .replace(/\bhalf\b/g, 'i16')
            .replace(/\b0xH([0-9A-F]{4})\b/g, (_, bits: string) => String((parseInt(bits, 16) << 16) >> 16)),
    )
    .join('');
}

/** A value without its attributes. */
function valueOf(text: string): string {
  return text.replace(/^(?:(?:noundef|nofpclass\([^)]*\)|signext|zeroext) )*/, '');
}

function withElement(type: string, element: string): string {
  return type.startsWith('<') ? type.replace(/x \w+>/, `x ${element}>`) : element;
}

const bitsType = (type: string): string => withElement(type, 'i16');
const floatType = (type: string): string => (HALF.test(type) ? withElement(type, 'float') : type);

/** A constant of a type, or of as many elements as a vector has. */
function all(type: string, element: string, value: number | string): string {
  const plain = element === 'i16' ? (Number(value) << 16) >> 16 : value;
  const one = element === 'i1' ? String(value !== 0) : String(plain);
  return type.startsWith('<') ? `splat (${element} ${one})` : one;
}
