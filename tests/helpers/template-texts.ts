import { type Arity, parseTemplate, type Syntax } from '../../src/array/template.ts';

/** Functions that the texts of the tests may call. */
export const templateFunctions: ReadonlyMap<string, Arity> = new Map<string, Arity>([
  ['sin', 1],
  ['sinh', 1],
  ['abs', 1],
  ['asin', 1],
  ['pow', 2],
  ['where', 3],
  ['floorDivide', 2],
  ['clip', [1, 3]],
  ['maximum', [2, Infinity]],
  ['sum', [1, Infinity]],
  ['rand', 0],
]);

/** Parse as a tag does; the values are of no interest, as the parser sees the strings only. */
export function parseTagged(strings: TemplateStringsArray, ...values: readonly unknown[]): Syntax {
  if (values.length !== strings.length - 1) throw new Error('a value must stand between two strings');
  return parseTemplate(strings, templateFunctions);
}

/** The tree of a text; `@0` stands for a value. */
export function readTemplate(text: string): Syntax {
  return parseTemplate(text.split(/@\d/), templateFunctions);
}

/** A tree in prefix form: `add(@0, 2)`. */
export function showSyntax(tree: Syntax): string {
  switch (tree.kind) {
    case 'value':
      return `@${tree.index}`;
    case 'number':
      if (Object.is(tree.value, -0)) return '-0';
      return `${tree.value}${typeof tree.value === 'bigint' ? 'n' : ''}`;
    case 'imaginary':
      return `${tree.value}j`;
    case 'boolean':
      return String(tree.value);
    case 'call':
      return `${tree.name}(${tree.args.map(showSyntax).join(', ')})`;
  }
}

/** The error that a function throws. */
export function thrown(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
