import type { Origin, Variable } from '../tree.ts';

/** What the text that is made uses itself, and what no variable can be called in strict code. */
const TAKEN: ReadonlySet<string> = new Set(
  `Math Number BigInt Infinity NaN undefined eval arguments yield let static implements interface package private protected public
  await`.split(/\s+/),
);

/**
 * The name of a variable in JavaScript: the one that it has in the function, so that debuggers show it. The blocks of the text that
 * is made are those of the function, so that two variables of one name stay apart.
 */
export function jsName(variable: Variable, origin: Origin): string {
  const { name, span, text, isMade } = variable;
  // What the reader adds has no name in the function.
  if (isMade === true || !origin.text.startsWith(name, span.start)) return `$${text}`;
  // Names that end so are changed, too, so that no two become one.
  return TAKEN.has(name) || name.startsWith('$') || name.endsWith('$_') ? `${name}$_` : name;
}
