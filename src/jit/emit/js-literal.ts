import type { ScalarType } from '../kernel-type.ts';

/** A constant in JavaScript: integers of 64 bits are BigInts. */
export function jsLiteral(value: number | bigint | boolean, { name }: ScalarType): string {
  if (name === 'bool') return String(Boolean(value));
  if (name === 'i64' || name === 'u64') return bracketed(`${BigInt(value)}n`);
  const number = name === 'f32' ? Math.fround(Number(value)) : Number(value);
  return Object.is(number, -0) ? '(-0)' : bracketed(String(number));
}

function bracketed(text: string): string {
  return text.startsWith('-') ? `(${text})` : text;
}
