import type { ArrayDType } from '../array/dtype.ts';
import { highest, lowest } from '../array/reduction/limits.ts';
import type { Expression, FunctionTree, Statement } from './tree.ts';

/** What changes nothing, by the operator that joins two elements. */
const BY_OPERATOR: Readonly<Record<string, (dtype: ArrayDType) => string | number>> = {
  '+': () => 0,
  '*': () => 1,
  '|': () => 0,
  '^': () => 0,
  '&': (dtype) => `(${dtype})-1`,
  max: lowest,
  min: highest,
  // Those of floats, which give NaN where one is NaN.
  js_max: lowest,
  js_min: highest,
};

/**
 * What changes nothing when a function joins it to an element: of sums, products, bits, `Math.max` and `Math.min`, and of a choice by a
 * comparison.
 *
 * @returns undefined for other functions
 */
export function identityOf({ parameters, body }: FunctionTree, dtype: ArrayDType): string | number | undefined {
  const [first, second] = parameters;
  const value = returned(body);
  const isPair = (left: Expression, right: Expression): boolean => {
    const [one, other] = [plain(left), plain(right)];
    return (
      one.kind === 'variable' &&
      other.kind === 'variable' &&
      ((one.variable === first && other.variable === second) || (one.variable === second && other.variable === first))
    );
  };
  if (value?.kind === 'binary' && isPair(value.left, value.right)) return BY_OPERATOR[value.operator]?.(dtype);
  if (value?.kind === 'call') {
    const [left, right] = value.args;
    const isExtreme = left !== undefined && right !== undefined && isPair(left, right);
    return isExtreme ? BY_OPERATOR[value.operation.name]?.(dtype) : undefined;
  }
  if (value?.kind === 'conditional') {
    const test = plain(value.test);
    if (test.kind !== 'binary' || !isPair(test.left, test.right) || !isPair(value.then, value.otherwise))
      return undefined;
    const isGreater = test.operator === '>' || test.operator === '>=';
    if (!isGreater && test.operator !== '<' && test.operator !== '<=') return undefined;
    return BY_OPERATOR[isGreater === isSame(test.left, value.then) ? 'max' : 'min']?.(dtype);
  }
  return undefined;
}

function returned(body: readonly Statement[]): Expression | undefined {
  const [only] = body;
  return body.length === 1 && only?.kind === 'return' && only.value ? plain(only.value) : undefined;
}

/** Without conversions, which change no element. */
function plain(expression: Expression): Expression {
  return expression.kind === 'conversion' ? plain(expression.operand) : expression;
}

function isSame(left: Expression, right: Expression): boolean {
  const [one, other] = [plain(left), plain(right)];
  return one.kind === 'variable' && other.kind === 'variable' && one.variable === other.variable;
}
