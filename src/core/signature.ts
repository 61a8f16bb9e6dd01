import type { Parameter } from './c-declaration.ts';
import { readParameter } from './c-declaration.ts';
import type { Names } from './c-declarator.ts';
import { splitTokens } from './c-declarator.ts';
import { joinTokens, tokenize } from './c-token.ts';
import type { CType, Dialect } from './c-type.ts';

export type { Declaration, Parameter } from './c-declaration.ts';
export { parseDeclarations } from './c-declaration.ts';
export type { AddressSpace, CType, Dialect } from './c-type.ts';

/** The type in a text such as `const float *` or `unsigned n`; a text that is not a type gives `named`. */
export function parseType(text: string, dialect: Dialect): CType {
  const names: Names = { dialect, aliases: new Map(), hidden: () => false };
  return readParameter(tokenize(text), names).type;
}

/** The pieces of a parameter list; none for an empty one and for `void`. */
export function splitParameters(text: string): string[] {
  const pieces = splitTokens(tokenize(text)).map(joinTokens);
  return pieces.length === 1 && pieces[0] === 'void' ? [] : pieces;
}

/** `add(float *a, const float *b, int n)` */
export function formatSignature(name: string, parameters: readonly Parameter[]): string {
  return `${name}(${parameters.map(formatParameter).join(', ')})`;
}

function formatParameter({ name, type }: Parameter): string {
  const text = type.space ? `__${type.space} ${type.text}` : type.text;
  if (name === undefined) return text;
  const hole = /^([^<(]*(?:\((?:[*&]|\w+::\*)[^()<]*)+)(\).*)$/.exec(text);
  if (hole) return `${hole[1] ?? ''}${name}${hole[2] ?? ''}`;
  return /[*&]$/.test(text) ? text + name : `${text} ${name}`;
}
