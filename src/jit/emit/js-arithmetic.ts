import type { Binary } from '../tree.ts';
import { isFloat, isWide, SCALARS, settled, type KernelType, type ScalarType } from '../kernel-type.ts';

const COMPARISONS: Readonly<Record<string, string>> = {
  '==': '===',
  '!=': '!==',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': '&&',
  '||': '||',
};

/** What the text of an operation may need: the number of its place, for an error. */
export type SiteNumber = () => number;

type Operator = Pick<Binary, 'operator' | 'type' | 'wraps'>;

/** An operator between two values of one type, each of which is in brackets where it has to be. */
export function jsBinary({ operator, type, wraps }: Operator, left: string, right: string, site: SiteNumber): string {
  const comparison = COMPARISONS[operator];
  if (comparison !== undefined) return `(${left} ${comparison} ${right})`;
  const { name } = settled(type) as ScalarType;
  switch (operator) {
    case '&':
    case '|':
    case '^':
      return `(${left} ${operator} ${right})`;
    case '<<':
    case '>>':
      return shifted(operator, name, left, right);
    case '+':
    case '-':
    case '*':
      return sum(operator, name, wraps, left, right, site);
    case '/':
    case '%':
      if (name === 'f64') return `(${left} ${operator} ${right})`;
      if (name === 'f32') return `Math.fround(${left} ${operator} ${right})`;
      return `$m.${operator === '/' ? 'quotient' : 'remainder'}.${name}(${left}, ${right}, ${site()})`;
    default:
      return `(${left} ${operator} ${right})`;
  }
}

function shifted(operator: '<<' | '>>', name: string, left: string, right: string): string {
  if (name === 'u32') return operator === '>>' ? `(${left} >>> ${right})` : `(${left} << ${right} >>> 0)`;
  if (name === 'i32') return `(${left} ${operator} ${right})`;
  const whole = `${left} ${operator} BigInt(${right})`;
  return operator === '>>' ? `(${whole})` : `BigInt.as${name === 'i64' ? 'Int' : 'Uint'}N(64, ${whole})`;
}

const NAMES = { '+': 'sum', '-': 'difference', '*': 'product' } as const;

function sum(
  operator: '+' | '-' | '*',
  name: string,
  wraps: boolean,
  left: string,
  right: string,
  site: SiteNumber,
): string {
  if (name === 'f64') return `(${left} ${operator} ${right})`;
  if (name === 'f32') return `Math.fround(${left} ${operator} ${right})`;
  if (name === 'u64') return `BigInt.asUintN(64, ${left} ${operator} ${right})`;
  const product = operator === '*' ? `Math.imul(${left}, ${right})` : `${left} ${operator} ${right}`;
  if (name === 'u32') return `(${product} >>> 0)`;
  if (wraps) return name === 'i64' ? `BigInt.asIntN(64, ${left} ${operator} ${right})` : `(${product} | 0)`;
  return `$m.${NAMES[operator]}.${name}(${left}, ${right}, ${site()})`;
}

export function jsNegation(type: ScalarType, operand: string, site: SiteNumber): string {
  if (isFloat(type)) return `(-${operand})`;
  if (type.name === 'u64') return `BigInt.asUintN(64, -${operand})`;
  return `$m.difference.${type.name}(${type.name === 'i64' ? '0n' : '0'}, ${operand}, ${site()})`;
}

/** A value in another type: integers keep their lowest bits, fractions are cut off where they fit. */
export function jsConversion(text: string, from: KernelType, to: KernelType, site: SiteNumber): string {
  if (from.kind !== 'scalar' || to.kind !== 'scalar' || from.name === to.name) return text;
  if (from.name === 'bool') return isWide(to) ? `(${text} ? 1n : 0n)` : `(${text} ? 1 : 0)`;
  if (isFloat(from)) return ofFloat(text, from, to, site);
  if (isFloat(to)) {
    if (isWide(from)) return to.name === 'f32' ? `$m.wideToF32(${text})` : `Number(${text})`;
    return to.name === 'f32' && SCALARS[from.name].bits > 16 ? `Math.fround(${text})` : text;
  }
  const [a, b] = [SCALARS[from.name], SCALARS[to.name]];
  if (b.bits === 64) {
    const wide = a.bits === 64 ? text : `BigInt(${text})`;
    if (b.signed) return a.bits < 64 ? wide : `BigInt.asIntN(64, ${wide})`;
    return a.signed ? `BigInt.asUintN(64, ${wide})` : wide;
  }
  if (a.bits === 64) return `Number(BigInt.as${b.signed ? 'Int' : 'Uint'}N(${b.bits}, ${text}))`;
  const isHeld = b.signed === a.signed ? b.bits >= a.bits : b.signed && b.bits > a.bits;
  return isHeld ? text : narrowed(text, b.bits, b.signed);
}

function narrowed(text: string, bits: number, signed: boolean): string {
  if (bits === 32) return signed ? `(${text} | 0)` : `(${text} >>> 0)`;
  return signed ? `(${text} << ${32 - bits} >> ${32 - bits})` : `(${text} & ${2 ** bits - 1})`;
}

function ofFloat(text: string, from: ScalarType, to: ScalarType, site: SiteNumber): string {
  if (to.name === 'f64') return text;
  if (to.name === 'f32') return `Math.fround(${text})`;
  return `$m.cut.${to.name}(${text}, ${site()})`;
}
