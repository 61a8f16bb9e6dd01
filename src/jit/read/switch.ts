import type * as Acorn from 'acorn';
import type { Expression, Statement, Switch, SwitchCase } from '../tree.ts';
import { I32, isInteger, promoted, SCALARS, settled, type ScalarType } from '../kernel-type.ts';
import { constantOf, convert, numeric } from './convert.ts';
import { after, held } from './hold.ts';
import { binary } from './operator.ts';
import type { Body } from './body.ts';
import { spanOf } from './reading.ts';

/** `switch`, whose cases share one scope. */
export function readSwitch(body: Body, node: Acorn.SwitchStatement): Switch {
  const value = body.expression(node.discriminant);
  return body.inScope(() => {
    const tests = node.cases.map(({ test }) => (test ? body.expression(test) : undefined));
    const bodies = node.cases.map(({ consequent }) => consequent.flatMap((one) => body.statement(one)));
    const isUnknown = [value, ...tests].some((one) => one?.type.kind === 'unknown');
    const whole = isUnknown ? undefined : byConstants(body, value, tests);
    const { selected, values } = whole ?? { selected: constantOf(0, node.discriminant), values: [] };
    if (!isUnknown && whole === undefined) return byTests(body, node, value, tests, bodies);
    return { kind: 'switch', value: selected, cases: casesOf(node, values, bodies), ...spanOf(node) };
  });
}

function casesOf(
  node: Acorn.SwitchStatement,
  values: readonly (number | bigint | undefined)[],
  bodies: readonly (readonly Statement[])[],
): readonly SwitchCase[] {
  return node.cases.map((one, i) => ({
    value: values[i],
    isDefault: !one.test,
    body: bodies[i] ?? [],
    ...spanOf(one),
  }));
}

interface Selection {
  readonly selected: Expression;
  readonly values: readonly (number | bigint | undefined)[];
}

/** Integers that are known are cases of C; undefined where a case is something else. The first of two equal ones counts. */
function byConstants(body: Body, value: Expression, tests: readonly (Expression | undefined)[]): Selection | undefined {
  const given = numeric(value, body.fail);
  if (!isInteger(given) || given.name === 'bool') return undefined;
  const type = settled(promoted(given));
  const seen = new Set<bigint>();
  const values: (number | bigint | undefined)[] = [];
  for (const test of tests) {
    if (test !== undefined && !isKnown(test, type)) return undefined;
    const known = test?.kind === 'constant' ? BigInt(test.value) : undefined;
    values.push(known === undefined || seen.has(known) ? undefined : known);
    if (known !== undefined) seen.add(known);
  }
  return { selected: convert(value, type, body.fail), values };
}

function isKnown(test: Expression, { name }: ScalarType): boolean {
  if (test.kind !== 'constant' || !isInteger(test.type) || typeof test.value === 'boolean') return false;
  const { bits, signed } = SCALARS[name];
  const integer = BigInt(test.value);
  return integer === (signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer));
}

/** Other cases are compared one after another, as JavaScript does; their numbers are the cases. */
function byTests(
  body: Body,
  node: Acorn.SwitchStatement,
  value: Expression,
  tests: readonly (Expression | undefined)[],
  bodies: readonly (readonly Statement[])[],
): Switch {
  numeric(value, body.fail);
  const { before, use } = held(body, value, 'selected');
  const last = convert(constantOf(tests.length, node), I32, body.fail);
  const selected = tests.reduceRight<Expression>((otherwise, test, i) => {
    if (test === undefined) return otherwise;
    const isSame = binary('===', use, test, test, body.fail);
    const then = convert(constantOf(i, test), I32, body.fail);
    return { kind: 'conditional', test: isSame, then, otherwise, type: I32, ...spanOf(test) };
  }, last);
  const values = tests.map((test, i) => (test === undefined ? undefined : i));
  return {
    kind: 'switch',
    value: after([before], selected, node.discriminant),
    cases: casesOf(node, values, bodies),
    ...spanOf(node),
  };
}
