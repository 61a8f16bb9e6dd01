/** An operator between two operands. */
export interface BinaryOperator {
  /** The Array API's name of the operation, in camelCase. */
  readonly name: string;
  /** A higher level binds tighter. */
  readonly level: number;
  readonly group: 'logical' | 'comparison' | 'bitwise' | 'arithmetic';
}

function level(
  height: number,
  group: BinaryOperator['group'],
  names: Readonly<Record<string, string>>,
): [string, BinaryOperator][] {
  return Object.entries(names).map(([mark, name]) => [mark, { name, level: height, group }]);
}

/** All of them group from the left. `**` is not here: it binds tighter than the signs on its left. */
export const binaryOperators: ReadonlyMap<string, BinaryOperator> = new Map([
  ...level(1, 'logical', { '||': 'logicalOr' }),
  ...level(2, 'logical', { '&&': 'logicalAnd' }),
  ...level(3, 'comparison', { '==': 'equal', '===': 'equal', '!=': 'notEqual', '!==': 'notEqual' }),
  ...level(3, 'comparison', { '<': 'less', '<=': 'lessEqual', '>': 'greater', '>=': 'greaterEqual' }),
  ...level(4, 'bitwise', { '|': 'bitwiseOr' }),
  ...level(5, 'bitwise', { '^': 'bitwiseXor' }),
  ...level(6, 'bitwise', { '&': 'bitwiseAnd' }),
  ...level(7, 'arithmetic', { '<<': 'bitwiseLeftShift', '>>': 'bitwiseRightShift' }),
  ...level(8, 'arithmetic', { '+': 'add', '-': 'subtract' }),
  ...level(9, 'arithmetic', { '*': 'multiply', '/': 'divide', '//': 'floorDivide', '%': 'remainder' }),
]);

/** The names of the operations that stand before their operand. */
export const prefixOperators: ReadonlyMap<string, string> = new Map([
  ['+', 'positive'],
  ['-', 'negative'],
  ['~', 'bitwiseInvert'],
  ['!', 'logicalNot'],
]);

/** The constants that have a name. */
export const templateConstants: ReadonlyMap<string, number | boolean> = new Map<string, number | boolean>([
  ['pi', Math.PI],
  ['e', Math.E],
  ['inf', Infinity],
  ['nan', NaN],
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
]);
