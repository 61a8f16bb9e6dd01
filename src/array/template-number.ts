/** A number as it is written. */
export type NumberLiteral =
  { readonly kind: 'number'; readonly value: number | bigint } | { readonly kind: 'imaginary'; readonly value: number };

/** What stands where a number begins: the literal, or what is wrong with it. */
export type ReadNumber =
  { readonly text: string; readonly literal: NumberLiteral } | { readonly text: string; readonly problem: string };

const BASED = /0(?:[xX][\da-fA-F]+(?:_[\da-fA-F]+)*|[oO][0-7]+(?:_[0-7]+)*|[bB][01]+(?:_[01]+)*)n?/y;
const DECIMAL = /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?[njJ]?/y;
const RUN = /[\p{L}\p{N}_.]*/uy;

/** Read the number at a place of a text that has a digit there, or a dot and a digit. */
export function readNumber(source: string, at: number): ReadNumber {
  const text = matchAt(BASED, source, at) || matchAt(DECIMAL, source, at);
  const rest = matchAt(RUN, source, at + text.length);
  if (rest !== '') return { text: text + rest, problem: trailing(text, rest) };
  const digits = text.replaceAll('_', '');
  if (/^0\d/.test(digits)) return { text, problem: leadingZeros(digits) };
  return digits.endsWith('n') ? readBigInt(text, digits.slice(0, -1)) : readFloat(text, digits);
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

/** A letter after a digit is a product in mathematics, or a slip. */
function trailing(text: string, rest: string): string {
  const isProduct = /^[a-zA-Z][a-zA-Z_]*$/.test(rest) && !/^e$/i.test(rest) && !/^0[xob]/i.test(text + rest);
  if (isProduct) return `a number must be followed by an operator, got ${rest}; write ${text} * ${rest}`;
  return 'a number must be written such as 12, 1_000, .5, 1e-3, 0x1f, 0o17, 0b101, 5n or 2j';
}

/** Octal in old JavaScript, an error in Python. */
function leadingZeros(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  const octal = /^[0-7]+$/.test(digits) ? `, or 0o${plain} for an octal number` : '';
  return `a decimal number must not begin with zeros; write ${plain}${octal}`;
}

function readBigInt(text: string, digits: string): ReadNumber {
  if (/^[\d]+$/.test(digits) || /^0[xob]/i.test(digits)) {
    return { text, literal: { kind: 'number', value: BigInt(digits) } };
  }
  return { text, problem: 'a bigint must be a whole number without an exponent; leave out the n' };
}

function readFloat(text: string, digits: string): ReadNumber {
  const isImaginary = /j$/i.test(digits);
  const plain = isImaginary ? digits.slice(0, -1) : digits;
  const value = Number(plain);
  if (!Number.isFinite(value)) {
    return { text, problem: `a number must be at most ${Number.MAX_VALUE}; write inf for infinity` };
  }
  if (isImaginary) return { text, literal: { kind: 'imaginary', value } };
  // Python's integers have no end, so an inexact one would be a surprise without an error.
  const isInteger = /^\d+$/.test(plain) || /^0[xob]/i.test(plain);
  if (isInteger && !Number.isSafeInteger(value) && BigInt(plain) !== BigInt(value)) {
    return { text, problem: `an integer above 2^53 must be a bigint to be exact; write an n after it` };
  }
  return { text, literal: { kind: 'number', value } };
}
