import { nearNames } from './near-name.ts';
import { templateConstants } from './template-operator.ts';
import { brief } from './brief.ts';

/** How many arguments a function takes; two numbers are the fewest and the most (which may be Infinity). */
export type Arity = number | readonly [least: number, most: number];

const comments = 'An expression cannot hold a comment; write it outside of the template';
const strings = 'An expression holds numbers and arrays only; leave the quotes out';
const braces = 'A value is put in as ${…}, without a backslash before it';
const index = 'An array cannot be indexed in the text; put its part in, such as ${a.at(0)}';

/** What to do instead of something that has no meaning here, for what users of JavaScript, Python and C may write. */
export const adviceFor: ReadonlyMap<string, string> = new Map([
  ['>>>', "The element type decides how >> shifts; write >>, and put in ${a.astype('u32')} to shift in zeros"],
  ['=', 'Nothing can be assigned in an expression; write == to compare'],
  ['<>', 'Elements are compared by !=; write != instead of <>'],
  ['=>', 'A function cannot be written in an expression; write >= to compare'],
  ['??', 'An element is never null; leave ?? out, or write where(isnan(x), y, x) for what is NaN'],
  ['/*', comments],
  ['#', comments],
  ["'", strings],
  ['"', strings],
  ['`', strings],
  ['$', braces],
  ['{', braces],
  ['}', braces],
  ['[', index],
  [']', index],
  ['.', 'A dot has no meaning between names; write sin for np.sin or Math.sin, and put a property in, such as ${a.T}'],
  ['@', 'Matrices cannot be multiplied in the text; put the product in, such as ${a.matmul(b)}'],
  [';', 'There is one expression in a template; leave the ; out'],
  ['and', 'Conditions are joined by && or &; write && instead of and'],
  ['or', 'Conditions are joined by || or |; write || instead of or'],
  ['not', 'A condition is negated by !; write ! instead of not'],
  ['if', 'A choice is written c ? a : b, or where(c, a, b)'],
  ['else', 'A choice is written c ? a : b, or where(c, a, b)'],
  ['×', 'Write * to multiply'],
  ['·', 'Write * to multiply'],
  ['÷', 'Write / to divide'],
  ['−', 'Write - to subtract: this is another character'],
  ['–', 'Write - to subtract: this is another character'],
  ['≤', 'Write <= instead of ≤'],
  ['≥', 'Write >= instead of ≥'],
  ['≠', 'Write != instead of ≠'],
]);

/** What to say of marks that have a meaning, but not after a value. */
export const adviceAfterValue: ReadonlyMap<string, string> = new Map([
  [')', ') closes nothing; leave it out, or write ( where it should begin'],
  [',', 'A comma must stand between the arguments of a function'],
  [':', ': must follow a ? and a value; write c ? a : b'],
  ['!', '! must stand before a value; write != to compare'],
  ['~', '~ must stand before a value; write ^ for exclusive or'],
]);

/** How to come below a limit. */
export const splitIt = 'compute a part of it before, and put that in as ${…}';

/** Of two comparisons in a row. */
export function chained(first: string, second: string): string {
  return `Comparisons must not be chained; write (a ${first} b) & (b ${second} c)`;
}

/** Of a comparison and a bitwise operator, in the order of the text; `third` is a comparison after them. */
export function mixed(first: string, second: string, third?: string): string {
  const fix =
    third === undefined
      ? `(a ${first} b) ${second} c or a ${first} (b ${second} c)`
      : `(a ${first} b) ${second} (c ${third} d)`;
  return `${first} and ${second} must have parentheses, as JavaScript and Python group them differently; write ${fix}`;
}

/** Of a name that stands for no value. */
export function unknownValue(name: string, functions: ReadonlyMap<string, Arity>): string {
  const arity = functions.get(name);
  if (arity !== undefined) return `${name} must be followed by ${countOf(arity)} in parentheses`;
  const shown = brief(name);
  const near = nearNames(name, templateConstants.keys());
  const constants = near.map((constant) => `${constant}, or `).join('');
  return `${shown} is not known; write ${constants}\${${shown}} for a variable of that name`;
}

/** Of a name that is called and cannot be. */
export function unknownFunction(name: string, functions: ReadonlyMap<string, Arity>): string {
  if (templateConstants.has(name)) return `${name} is not a function; write ${name} * (...) to multiply`;
  const shown = brief(name);
  const near = nearNames(name, functions.keys());
  const known = near.length === 0 ? '' : `${near.join(' or ')}, or `;
  return `${shown} is not a function of expressions; write ${known}\${${shown}(...)} to put in what another function gives`;
}

/** The number of a function's arguments in words: `1 argument`, `2 to 3 arguments`. */
export function countOf(arity: Arity): string {
  const [least, most] = typeof arity === 'number' ? [arity, arity] : arity;
  const isOne = least === 1 && (most === 1 || most === Infinity);
  const count = least === most ? String(least) : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  return `${count} argument${isOne ? '' : 's'}`;
}
