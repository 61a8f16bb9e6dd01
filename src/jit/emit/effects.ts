import type { Expression, FunctionTree, Statement, Target, Variable } from '../tree.ts';
import { GRID_SYNC_NAME } from '../operation/grid-group.ts';
import { childrenOf, isQuiet } from '../read/effect.ts';

/** What an expression reads and changes, as far as its place among others matters. */
export interface Effects {
  readonly reads: ReadonlySet<Variable>;
  readonly writes: ReadonlySet<Variable>;
  readonly readsMemory: boolean;
  /** Whether it changes elements, or what it does must stay in its place: barriers, prints. */
  readonly writesMemory: boolean;
}

const NOTHING: Effects = { reads: new Set(), writes: new Set(), readsMemory: false, writesMemory: false };

export function effectsOf(expression: Expression): Effects {
  const inner = joined(childrenOf(expression).map(effectsOf));
  switch (expression.kind) {
    case 'variable': {
      const { variable, type } = expression;
      return type.kind === 'array' || !variable.isAssigned ? inner : { ...inner, reads: new Set([variable]) };
    }
    case 'element':
      return { ...inner, readsMemory: true };
    case 'assignment':
    case 'update':
      return withStore(inner, expression.target);
    case 'call':
      return isQuiet(expression.operation) ? inner : { ...inner, ...ALL_MEMORY };
    case 'device call': {
      const takesMemory = expression.args.some(({ type }) => type.kind === 'array');
      return hasEffect(expression.callee)
        ? { ...inner, ...ALL_MEMORY }
        : { ...inner, readsMemory: inner.readsMemory || takesMemory };
    }
    case 'print':
      return { ...inner, ...ALL_MEMORY };
    default:
      return inner;
  }
}

const ALL_MEMORY = { readsMemory: true, writesMemory: true };

function joined(list: readonly Effects[]): Effects {
  if (list.length === 0) return NOTHING;
  if (list.length === 1) return list[0] as Effects;
  return {
    reads: new Set(list.flatMap(({ reads }) => [...reads])),
    writes: new Set(list.flatMap(({ writes }) => [...writes])),
    readsMemory: list.some(({ readsMemory }) => readsMemory),
    writesMemory: list.some(({ writesMemory }) => writesMemory),
  };
}

function withStore(inner: Effects, target: Target): Effects {
  const variable = variableOf(target);
  return variable ? { ...inner, writes: new Set([...inner.writes, variable]) } : { ...inner, writesMemory: true };
}

/** The variable that a place is, or is a part of; undefined where it is in memory. */
export function variableOf(target: Expression): Variable | undefined {
  if (target.kind === 'variable') return target.variable;
  return target.kind === 'field' ? variableOf(target.object) : undefined;
}

/** Whether one of two expressions changes what the other one reads or changes. */
export function isOrdered(a: Effects, b: Effects): boolean {
  return (
    (a.writesMemory && (b.readsMemory || b.writesMemory)) ||
    (b.writesMemory && a.readsMemory) ||
    meet(a.writes, b.reads) ||
    meet(a.writes, b.writes) ||
    meet(a.reads, b.writes)
  );
}

function meet(a: ReadonlySet<Variable>, b: ReadonlySet<Variable>): boolean {
  return a.size > 0 && b.size > 0 && [...a].some((one) => b.has(one));
}

const known = new WeakMap<FunctionTree, boolean>();

/** Whether a call of a function does more than give a value. */
function hasEffect(tree: FunctionTree): boolean {
  const found =
    known.get(tree) ??
    (tree.parameters.some(({ isWritten }) => isWritten) ||
      tree.callees.some(hasEffect) ||
      tree.body.some((statement) => expressionsOf(statement).some(isSeen)));
  known.set(tree, found);
  return found;
}

function isSeen(expression: Expression): boolean {
  if (expression.kind === 'print') return true;
  if (expression.kind === 'call' && !isQuiet(expression.operation)) return true;
  return childrenOf(expression).some(isSeen);
}

/** Whether threads of a function wait for the whole grid. */
export function waitsForGrid({ callees, body }: FunctionTree): boolean {
  return callees.some(waitsForGrid) || body.some((statement) => expressionsOf(statement).some(callsGrid));
}

function callsGrid(expression: Expression): boolean {
  if (expression.kind === 'call' && expression.operation.name === GRID_SYNC_NAME) return true;
  return childrenOf(expression).some(callsGrid);
}

/** The expressions of a statement and of those in it. */
export function expressionsOf(statement: Statement): readonly Expression[] {
  const some = (...list: readonly (Expression | undefined)[]): readonly Expression[] =>
    list.filter((one) => one !== undefined);
  switch (statement.kind) {
    case 'declaration':
    case 'return':
      return some(statement.value);
    case 'expression':
      return [statement.expression];
    case 'block':
      return statement.body.flatMap(expressionsOf);
    case 'labelled':
      return expressionsOf(statement.body);
    case 'if':
      return [
        statement.test,
        ...expressionsOf(statement.then),
        ...(statement.otherwise ? expressionsOf(statement.otherwise) : []),
      ];
    case 'loop':
      return [
        ...statement.init.flatMap(expressionsOf),
        ...some(statement.test, statement.update),
        ...expressionsOf(statement.body),
      ];
    case 'switch':
      return [statement.value, ...statement.cases.flatMap(({ body }) => body.flatMap(expressionsOf))];
    default:
      return [];
  }
}
