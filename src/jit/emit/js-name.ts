import type { Origin, Variable } from '../tree.ts';
import { writtenNameAt } from '../written-name.ts';

/** What the text that is made uses itself, and what no variable can be called in strict code. */
const TAKEN: ReadonlySet<string> = new Set(
  `Math Number BigInt Infinity NaN undefined eval arguments yield let static implements interface package private protected public
  await`.split(/\s+/),
);

const KEYWORDS: ReadonlySet<string> = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false finally for function if import in
  instanceof new null return super switch this throw true try typeof var void while with`.split(/\s+/),
);

/**
 * The names of a function's variables in JavaScript: those that its author wrote, so that debuggers show them. The blocks of the text
 * that is made are those of the function, so that two variables of one name stay apart.
 */
export class JsNames {
  readonly #origin: Origin;
  readonly #written: ReadonlyMap<Variable, string>;

  constructor(variables: readonly Variable[], origin: Origin) {
    this.#origin = origin;
    this.#written = writtenNames(variables, origin);
  }

  of(variable: Variable): string {
    const { span, text, isMade } = variable;
    // What the reader adds has no name in the function.
    if (isMade === true || !this.#origin.text.startsWith(variable.name, span.start)) return `$${text}`;
    const name = this.#written.get(variable) ?? variable.name;
    // Names that end so are changed, too, so that no two become one.
    return TAKEN.has(name) || name.startsWith('$') || name.endsWith('$_') ? `${name}$_` : name;
  }
}

/** The names in the author's file, where a tool has given others; none where two of the text that runs would become one. */
function writtenNames(variables: readonly Variable[], origin: Origin): ReadonlyMap<Variable, string> {
  const names = new Map<Variable, string>();
  const owners = new Map<string, string>();
  for (const variable of variables) {
    const found = writtenNameAt(origin, variable.span.start) ?? variable.name;
    const name = KEYWORDS.has(found) ? variable.name : found;
    if ((owners.get(name) ?? variable.name) !== variable.name) return new Map();
    owners.set(name, variable.name);
    names.set(variable, name);
  }
  return names;
}
