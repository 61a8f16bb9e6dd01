import type { AtomicOperation, Condition, Expression, Operator } from './program.ts';

/** What an expression asks of the thread that computes it. */
export interface Scope {
  readonly thread: number;
  readonly block: number;
  readonly threads: number;
  variable(name: string): number;
  load(expression: Expression & { readonly is: 'load' }, index: number): number;
}

export function evaluate(expression: Expression, scope: Scope): number {
  switch (expression.is) {
    case 'constant':
      return expression.value;
    case 'thread':
      return scope.thread;
    case 'block':
      return scope.block;
    case 'global':
      return scope.block * scope.threads + scope.thread;
    case 'variable':
      return scope.variable(expression.name);
    case 'binary':
      return compute(expression.operator, evaluate(expression.left, scope), evaluate(expression.right, scope));
    case 'load':
      return scope.load(expression, evaluate(expression.index, scope));
    case 'select':
      return evaluate(holds(expression.when, scope) ? expression.then : expression.otherwise, scope);
  }
}

export function holds({ operator, left, right }: Condition, scope: Scope): boolean {
  const [a, b] = [evaluate(left, scope), evaluate(right, scope)];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '==':
      return a === b;
    case '!=':
      return a !== b;
  }
}

function compute(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return (a + b) >>> 0;
    case '-':
      return (a - b) >>> 0;
    case '*':
      return Math.imul(a, b) >>> 0;
    case '&':
      return (a & b) >>> 0;
    case '|':
      return (a | b) >>> 0;
    case '^':
      return (a ^ b) >>> 0;
    case '%':
      return a % b;
    case '/':
      return Math.floor(a / b);
    case '<<':
      return (a << b) >>> 0;
    case '>>':
      return a >>> b;
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
  }
}

/** What an atomic leaves. */
export function update(operation: AtomicOperation, old: number, value: number): number {
  switch (operation) {
    case 'add':
      return (old + value) >>> 0;
    case 'and':
      return (old & value) >>> 0;
    case 'or':
      return (old | value) >>> 0;
    case 'xor':
      return (old ^ value) >>> 0;
    case 'min':
      return Math.min(old, value);
    case 'max':
      return Math.max(old, value);
  }
}
