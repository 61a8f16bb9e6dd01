import type { Assignment, Expression, FunctionTree, Statement, Target, Update, Variable } from '../tree.ts';
import { settled, type KernelType } from '../kernel-type.ts';
import { halfOf } from './array-text.ts';
import { effectsOf, isOrdered, variableOf } from './effects.ts';

/** A function whose operands are computed in JavaScript's order, and the variables that this takes. */
export interface Ordered {
  readonly body: readonly Statement[];
  readonly variables: readonly Variable[];
}

/**
 * C leaves open in which order the operands of an operator and the arguments of a call are computed (C17, 6.5, paragraph 3);
 * JavaScript goes from left to right. Where the order matters, what comes first is computed into a variable before, behind a comma,
 * which C does keep in order. Nothing else changes.
 */
export function inOrder(tree: FunctionTree): Ordered {
  const order = new Order(tree);
  return { body: tree.body.map((one) => order.statement(one)), variables: order.variables };
}

/** Puts parts in the place of those that an expression had, in their order. */
type Make = (parts: readonly Expression[] & readonly [Expression, Expression, Expression]) => Expression;

class Order {
  readonly variables: Variable[] = [];
  readonly #taken: Set<string>;

  constructor(tree: FunctionTree) {
    this.#taken = new Set(tree.variables.map(({ text }) => text));
  }

  statement(statement: Statement): Statement {
    switch (statement.kind) {
      case 'declaration':
      case 'return':
        return statement.value ? { ...statement, value: this.#value(statement.value) } : statement;
      case 'expression':
        return { ...statement, expression: this.#effect(statement.expression) };
      case 'block':
        return { ...statement, body: statement.body.map((one) => this.statement(one)) };
      case 'labelled':
        return { ...statement, body: this.statement(statement.body) };
      case 'if':
        return {
          ...statement,
          test: this.#value(statement.test),
          then: this.statement(statement.then),
          otherwise: statement.otherwise && this.statement(statement.otherwise),
        };
      case 'loop':
        return {
          ...statement,
          init: statement.init.map((one) => this.statement(one)),
          test: statement.test && this.#value(statement.test),
          update: statement.update && this.#effect(statement.update),
          body: this.statement(statement.body),
        };
      case 'switch':
        return {
          ...statement,
          value: this.#value(statement.value),
          cases: statement.cases.map((one) => ({ ...one, body: one.body.map((inner) => this.statement(inner)) })),
        };
      default:
        return statement;
    }
  }

  /** An expression whose value nothing is done with. */
  #effect(expression: Expression): Expression {
    if (expression.kind === 'update') return this.#update(expression, true);
    if (expression.kind !== 'sequence') return this.#value(expression);
    return { ...expression, items: expression.items.map((item) => this.#effect(item)) };
  }

  #value(expression: Expression): Expression {
    switch (expression.kind) {
      case 'constant':
      case 'variable':
      case 'extent':
        return expression;
      case 'unary':
      case 'conversion':
        return this.#apart(expression, [expression.operand], ([operand]) => ({ ...expression, operand }));
      case 'field':
        return this.#apart(expression, [expression.object], ([object]) => ({ ...expression, object }));
      case 'conditional':
        return this.#apart(
          expression,
          [expression.test, expression.then, expression.otherwise],
          ([test, then, otherwise]) => ({ ...expression, test, then, otherwise }),
        );
      case 'sequence': {
        const last = expression.items.length - 1;
        const items = expression.items.map((item, i) => (i < last ? this.#effect(item) : this.#value(item)));
        return { ...expression, items };
      }
      case 'binary': {
        const isLogical = expression.operator === '&&' || expression.operator === '||';
        return (isLogical ? this.#apart : this.#together).call(
          this,
          expression,
          [expression.left, expression.right],
          ([left, right]) => ({ ...expression, left, right }),
        );
      }
      case 'element':
      case 'view':
        return this.#together(expression, expression.indices, (indices) => ({ ...expression, indices }));
      case 'address': {
        const { element } = expression;
        return this.#together(expression, indicesOf(element), (indices) => ({
          ...expression,
          element: withIndices(element, indices),
        }));
      }
      case 'aggregate':
        return this.#together(expression, expression.items, (items) => ({ ...expression, items }));
      case 'call':
      case 'device call':
        return this.#together(expression, expression.args, (args) => ({ ...expression, args }));
      case 'print': {
        const values = expression.parts.filter((part) => typeof part !== 'string');
        return this.#together(expression, values, (list) => {
          const rest = [...list];
          const parts = expression.parts.map((part) =>
            typeof part === 'string' ? part : (rest.shift() as Expression),
          );
          return { ...expression, parts };
        });
      }
      case 'assignment':
        return this.#assignment(expression);
      case 'update':
        return this.#update(expression, false);
    }
  }

  /** What is computed from several operands, each of which stays in its place where that does not matter. */
  #together(whole: Expression, operands: readonly Expression[], make: Make): Expression {
    const before: Expression[] = [];
    const ordered = this.#operands(operands, before);
    return ordered.every((one, i) => one === operands[i]) ? whole : sequence(before, make(ordered as never));
  }

  /** Parts that C computes in JavaScript's order, too. */
  #apart(whole: Expression, parts: readonly Expression[], make: Make): Expression {
    const ordered = parts.map((part) => this.#value(part));
    return ordered.every((one, i) => one === parts[i]) ? whole : make(ordered as never);
  }

  #operands(operands: readonly Expression[], before: Expression[]): readonly Expression[] {
    const effects = operands.map(effectsOf);
    return operands.map((operand, i) => {
      const value = this.#value(operand);
      const isFirst = effects.slice(i + 1).some((later) => isOrdered(effects[i] as never, later));
      return isFirst ? this.#held(value, before) : value;
    });
  }

  /** A value that is computed before; of a part of an array its place is. */
  #held(value: Expression, before: Expression[]): Expression {
    if (value.kind === 'constant') return value;
    if (value.kind === 'sequence') {
      before.push(...value.items.slice(0, -1));
      return this.#held(value.items.at(-1) as Expression, before);
    }
    if (value.kind === 'view') return { ...value, indices: value.indices.map((index) => this.#held(index, before)) };
    if (value.kind === 'address') {
      const { element } = value;
      const indices = indicesOf(element).map((index) => this.#held(index, before));
      return { ...value, element: withIndices(element, indices) };
    }
    if (value.type.kind === 'array') return value;
    const use = this.#variable(value.type, value);
    before.push({ kind: 'assignment', target: use, value, type: use.type, start: value.start, end: value.end });
    return use;
  }

  #variable(type: KernelType, { start, end }: Expression): Extract<Expression, { kind: 'variable' }> {
    let text = 'held';
    for (let i = 1; this.#taken.has(text); i++) text = `held_${i}`;
    this.#taken.add(text);
    const variable: Variable = {
      name: text,
      text,
      type: settled(type),
      isAssigned: true,
      isWritten: false,
      isHoisted: true,
      span: { start, end },
    };
    this.variables.push(variable);
    return { kind: 'variable', variable, type: variable.type, start, end };
  }

  /** First the place, then the value, then the store. */
  #assignment(expression: Assignment): Expression {
    const { target, value } = expression;
    const before: Expression[] = [];
    const places = indicesOf(target);
    const [stored, ...held] = [...this.#operands([...places, value], before)].reverse() as [
      Expression,
      ...Expression[],
    ];
    const indices = held.reverse();
    const isMoved = indices.some((index, i) => index !== places[i]);
    if (!isMoved) return sequence(before, { ...expression, value: this.#storedLater(target, value, stored, before) });
    const moved = withIndices(target, indices);
    // What is read and written is one place.
    const whole = this.#value(replaced(value, target, moved));
    return sequence(before, { ...expression, target: moved, value: this.#storedLater(moved, value, whole, before) });
  }

  /** A store inside of the value comes before the one of the assignment. */
  #storedLater(target: Target, value: Expression, stored: Expression, before: Expression[]): Expression {
    if (value.kind === 'assignment') return stored;
    const variable = variableOf(target);
    const isTwice = variable ? effectsOf(value).writes.has(variable) : storesDirectly(value);
    return isTwice ? this.#held(stored, before) : stored;
  }

  #update(expression: Update, isIdle: boolean): Expression {
    const { target, operator, isPrefix } = expression;
    const whole = { ...expression, target: this.#place(target) };
    if (isIdle || isPrefix || halfOf(target) === undefined) return whole;
    // The value before: halves are stored by functions, not by an operator of C.
    const before: Expression[] = [];
    const old = this.#held(whole.target, before);
    const one: Expression = { kind: 'constant', value: 1, type: target.type, start: target.start, end: target.end };
    const sum = {
      kind: 'binary',
      operator: operator === '++' ? '+' : '-',
      wraps: false,
      left: old,
      right: one,
    } as const;
    const span = { type: target.type, start: expression.start, end: expression.end };
    const store: Expression = { kind: 'assignment', target: whole.target, value: { ...sum, ...span }, ...span };
    return sequence([...before, store], old);
  }

  #place(target: Target): Target {
    const ordered = this.#value(target);
    return ordered.kind === 'sequence' ? target : (ordered as Target);
  }
}

function sequence(before: readonly Expression[], last: Expression): Expression {
  if (before.length === 0) return last;
  const items = last.kind === 'sequence' ? [...before, ...last.items] : [...before, last];
  return { kind: 'sequence', items, type: last.type, start: last.start, end: last.end };
}

function indicesOf(target: Expression): readonly Expression[] {
  if (target.kind === 'field') return indicesOf(target.object);
  return target.kind === 'element' ? target.indices : [];
}

function withIndices<T extends Expression>(target: T, indices: readonly Expression[]): T {
  if (target.kind === 'field') return { ...target, object: withIndices(target.object, indices) };
  return target.kind === 'element' ? { ...target, indices } : target;
}

/** An expression with another one in the place of a node of it. */
function replaced(expression: Expression, from: Expression, to: Expression): Expression {
  if (expression === from) return to;
  if (expression.kind === 'conversion') return { ...expression, operand: replaced(expression.operand, from, to) };
  if (expression.kind === 'binary')
    return { ...expression, left: replaced(expression.left, from, to), right: replaced(expression.right, from, to) };
  if (expression.kind === 'call') return { ...expression, args: expression.args.map((arg) => replaced(arg, from, to)) };
  return expression;
}

/** Whether an element is stored outside of what is called. */
function storesDirectly(expression: Expression): boolean {
  if (expression.kind === 'binary' || expression.kind === 'conversion' || expression.kind === 'unary')
    return (expression.kind === 'binary' ? [expression.left, expression.right] : [expression.operand]).some(
      storesDirectly,
    );
  return (
    (expression.kind === 'assignment' || expression.kind === 'update') && variableOf(expression.target) === undefined
  );
}
