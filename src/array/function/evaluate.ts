import { checkOptions } from '../../core/check.ts';
import { fuseOperation, FusedValue } from '../expression/fused-value.ts';
import { fold } from '../expression/fold.ts';
import type { Formula } from '../expression/formula.ts';
import type { WeakScalar } from '../dtype.ts';
import { Fused } from '../fused.ts';
import type { NDArray, Operand, OutOptions } from '../ndarray.ts';
import { checkOperand } from '../operand.ts';
import { aliases } from '../operation/alias.ts';
import type { Operation } from '../operation/operation.ts';
import { operations, type OperationName } from '../operation/table.ts';
import { parseTemplate, templateMessage, type Syntax } from '../template.ts';
import { placeholder } from '../template-text.ts';

/** An expression in text, with arrays and scalars as its values: a tag of templates. */
export interface Evaluate {
  /**
   * Compute an expression over arrays in one kernel: a tagged template whose values are arrays and scalars.
   *
   * The operators are Python's, in Python's order, with `c ? a : b`, `&&`, `||` and `!` of JavaScript; every operation can be
   * called by its name. Dtypes are those that the operations give one by one; halves are rounded once, at the end. Parts without
   * arrays are computed by JavaScript, at its precision. A template is read once for each place in a program.
   *
   * @throws SyntaxError the text cannot be read; the message points at the place
   * @throws TypeError an operation has no meaning for the dtypes, or there is no array
   * @throws RangeError shapes that do not broadcast, a scalar that a dtype does not hold, too many operations or arrays
   */
  (strings: TemplateStringsArray, ...values: readonly Operand[]): NDArray;
  (strings: TemplateStringsArray, ...values: readonly (FusedValue | WeakScalar)[]): FusedValue;
  /** The same with options. */
  readonly with: (options: OutOptions) => (strings: TemplateStringsArray, ...values: readonly Operand[]) => NDArray;
}

interface Expression {
  readonly formula: Formula;
  readonly fused: Fused;
}

const WHAT = 'evaluate';

const expressions = new WeakMap<readonly string[], Expression>();

const known: ReadonlyMap<string, Operation> = new Map([
  ...Object.entries(operations),
  ...Object.entries(aliases).map(([alias, name]) => [alias, operations[name]] as const),
]);
const arities: ReadonlyMap<string, number> = new Map([...known].map(([name, { arity }]) => [name, arity]));

function read(strings: readonly string[]): Expression {
  const found = expressions.get(strings);
  if (found !== undefined) return found;
  const formula = formulaOf(parseTemplate(strings, arities));
  const fused = new Fused([formula], {
    what: WHAT,
    nameOf: placeholder,
    at: (at, run) => pointing(strings, at, run),
  });
  const expression = { formula, fused };
  // Those of a template cannot change.
  if (Object.isFrozen(strings)) expressions.set(strings, expression);
  return expression;
}

function formulaOf(syntax: Syntax): Formula {
  switch (syntax.kind) {
    case 'value':
      return { kind: 'value', index: syntax.index };
    case 'number':
    case 'boolean':
      return { kind: 'constant', value: syntax.value };
    case 'imaginary':
      return { kind: 'constant', value: { re: 0, im: syntax.value } };
    case 'call':
      return {
        kind: 'call',
        operation: known.get(syntax.name) ?? operations[syntax.name as OperationName],
        operands: syntax.args.map(formulaOf),
        at: syntax.at,
      };
    default:
      return syntax satisfies never;
  }
}

/** Have the errors of an operation show where it stands. */
function pointing<T>(strings: readonly string[], at: number | undefined, run: () => T): T {
  if (at === undefined) return run();
  try {
    return run();
  } catch (cause) {
    if (cause instanceof RangeError) throw new RangeError(templateMessage(strings, cause.message, at), { cause });
    if (cause instanceof TypeError) throw new TypeError(templateMessage(strings, cause.message, at), { cause });
    throw cause;
  }
}

function run(strings: readonly string[], values: readonly unknown[], options: OutOptions | undefined): unknown {
  const { formula, fused } = read(strings);
  if (values.length !== strings.length - 1) {
    throw new TypeError(
      `${WHAT} must be given a value between each two strings, got ${values.length} for ${strings.length} strings`,
    );
  }
  if (values.some((value) => value instanceof FusedValue)) return within(strings, formula, values);
  return fused.run(values, options)[0];
}

/** The expression as a part of a fused function. */
function within(strings: readonly string[], formula: Formula, values: readonly unknown[]): FusedValue | WeakScalar {
  const of = (part: Formula): FusedValue | WeakScalar => {
    if (part.kind === 'constant') return part.value;
    if (part.kind === 'value') return valueOf(values[part.index], part.index);
    if (part.kind === 'cast') return of(part.operand);
    const operands = part.operands.map(of);
    const { operation } = part;
    return pointing(strings, part.at, () => {
      const isFused = operands.some((operand) => operand instanceof FusedValue);
      return isFused ? fuseOperation(operation, operands) : fold(operation, operands as readonly WeakScalar[]);
    });
  };
  return of(formula);
}

function valueOf(value: unknown, index: number): FusedValue | WeakScalar {
  if (value instanceof FusedValue) return value;
  checkOperand(value, `${WHAT}: ${placeholder(index)}`);
  // An array is refused by the operation, which says where it belongs.
  return value as WeakScalar;
}

/** An expression over arrays, computed in one kernel. */
export const evaluate: Evaluate = Object.assign(
  (strings: readonly string[], ...values: readonly unknown[]): never => run(strings, values, undefined) as never,
  {
    with: (options: OutOptions) => {
      checkOptions(options, ['out', 'stream', 'queue'], WHAT);
      return (strings: readonly string[], ...values: readonly Operand[]): NDArray => {
        return run(strings, values, options) as NDArray;
      };
    },
  },
);
