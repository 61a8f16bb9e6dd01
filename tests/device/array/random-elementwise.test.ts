import { expect, test } from '@jest/globals';
import { applied } from '../../../src/array/applied.ts';
import { empty } from '../../../src/array/apply.ts';
import { arrayDTypes, type ArrayDType } from '../../../src/array/dtype.ts';
import type { Engine } from '../../../src/array/engine.ts';
import { bytesOf, elementReader, elementWriter } from '../../../src/array/host-data.ts';
import { type Layout } from '../../../src/array/layout.ts';
import { memoryOf, viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import type { Rule } from '../../../src/array/operation/operation.ts';
import type { OperationName } from '../../../src/array/operation/table.ts';
import { broadcastTo } from '../../../src/array/broadcast.ts';
import { describeArraysEverywhere } from '../../helpers/array-halves.ts';
import { indicesOf, offsetAt } from '../../helpers/dense-array.ts';
import { converted, isExpected, referenceOf, type Value } from '../../helpers/elementwise-reference.ts';
import { isFull, isGate } from '../../helpers/full.ts';
import {
  combinations,
  randomExpression,
  walksOf,
  type Combination,
  type Expression,
} from '../../helpers/random-elementwise.ts';
import { Choices } from '../../helpers/random-view.ts';

/** Of each device, others in a full run: compiling their kernels takes nearly all the time. */
const COMBINATIONS = isGate ? 12 : 50;
const EXPRESSIONS = isGate ? 3000 : isFull ? 10_000 : 1500;
/** Kinds of walks for which each combination gets kernels. */
const WALKS = isFull ? 1 : 2;

interface Chosen {
  readonly combination: Combination;
  readonly walks: ReadonlySet<string>;
}

const given = process.env['RAWKERNEL_ARRAY_SEED'];
const seed = given === undefined ? Date.now() % 1_000_000 : Number(given);

let devices = 0;

describeArraysEverywhere('random elementwise operations', (engine) => {
  const device = devices++;
  test(`give what a reference gives, whatever the dtypes and strides (RAWKERNEL_ARRAY_SEED=${seed})`, () => {
    const choices = new Choices(seed);
    // The same combinations and walks in every run, whose kernels the compile cache has; what is computed is random.
    const fixed = new Choices(isFull ? 2 + device : 1);
    const chosen = combinations(COMBINATIONS, fixed)
      .map((combination): Chosen => ({ combination, walks: walksOf(combination, WALKS, fixed) }))
      .filter(({ combination: { operands, out } }) => [...operands, out].every((dtype) => isOfDevice(engine(), dtype)));
    for (let i = 0; i < EXPRESSIONS; i++) {
      const { combination, walks } = chosen[i % chosen.length] as Chosen;
      let expression = randomExpression(combination, choices);
      for (let more = 0; more < 200 && !isOfWalks(expression, walks); more++) {
        expression = randomExpression(combination, choices);
      }
      if (isOfWalks(expression, walks)) check(engine(), expression, `expression ${i} of seed ${seed}`);
    }
  }, 600_000);
});

function isOfWalks({ walk }: Expression, walks: ReadonlySet<string>): boolean {
  return walk === 'none' || walk.split(', ').every((each) => walks.has(each));
}

function isOfDevice({ facts }: Engine, dtype: string | undefined): boolean {
  return facts.hasDoubles || (dtype !== 'f64' && dtype !== 'c128' && !/[iu](?:32|64)|bigint/.test(dtype ?? ''));
}

/** An array over the whole of a memory. */
function filled(engine: Engine, dtype: ArrayDType, elements: readonly Value[]): NDArray {
  const bytes = new Uint8Array(elements.length * arrayDTypes[dtype].size);
  const write = elementWriter(dtype, bytes);
  for (const [i, element] of elements.entries()) write(i, element, 'an element');
  const made = empty(engine, [elements.length], dtype, engine.defaultLane);
  engine.write(memoryOf(made), 0, bytes, engine.defaultLane);
  return made;
}

function elementsOf(array: NDArray): Value[] {
  const host = array.get();
  const read = elementReader(array.dtype, bytesOf(host));
  return Array.from({ length: array.size }, (_, i) => read(i));
}

function check(engine: Engine, expression: Expression, what: string): void {
  const { combination, typing, shape, operands, out } = expression;
  const arrays: NDArray[] = [];
  const keep = (array: NDArray): NDArray => {
    arrays.push(array);
    return array;
  };
  try {
    const bases = operands.map((operand) =>
      'layout' in operand ? keep(filled(engine, operand.dtype, operand.memory)) : undefined,
    );
    const values = operands.map((operand, i) => {
      return 'layout' in operand ? keep(viewOf(bases[i] as NDArray, operand.layout)) : operand.scalar;
    });
    const dtype = combination.out ?? typing.result;
    const shared = out?.from === undefined ? undefined : bases[out.from];
    const before = shared ? elementsOf(shared) : Array.from({ length: out?.length ?? 0 }, () => converted(1, dtype));
    const base = shared ?? (out && keep(filled(engine, dtype, before)));
    const target = base && out && keep(viewOf(base, out.layout));
    const result = applied[combination.operation.name as OperationName].run(
      values,
      target === undefined ? {} : { out: target },
    );
    if (target === undefined) keep(result);
    expect([result.dtype, result.shape]).toEqual([dtype, shape]);
    const layout: Layout = out?.layout ?? result;
    const got = elementsOf(base ?? result);
    const known = new Set<number>();
    for (const index of indicesOf(shape)) {
      const at = offsetAt(layout, index);
      known.add(at);
      const given = operands.map((operand, i): Value => {
        const to = typing.operands[i] as ArrayDType;
        if ('layout' in operand) {
          return converted(operand.memory[offsetAt(broadcastTo(operand.layout, shape), index)] as Value, to, true);
        }
        return scalarOf(operand.scalar, combination.operation.rule, to);
      });
      const expected = referenceOf(combination.operation, given, typing);
      if (!isExpected(got[at] as Value, expected, typing.result, dtype)) {
        throw new Error(
          `${what}: ${text(expression)} at [${index.join()}]: ${combination.operation.name}(${given.map(show).join(', ')}) must be ${show(expected.value)}, got ${show(got[at] as Value)}`,
        );
      }
    }
    const changed = got.findIndex((element, i) => base && !known.has(i) && show(element) !== show(before[i] as Value));
    if (changed >= 0)
      throw new Error(`${what}: ${text(expression)} changed element ${changed}, which is not of the output`);
  } finally {
    for (const array of arrays) array.close();
  }
}

/** A scalar as a kernel has it: rounded to a half where it is one. Integers are compared whatever their size. */
function scalarOf(scalar: Value, rule: Rule, dtype: ArrayDType): Value {
  const { kind } = arrayDTypes[dtype];
  const isInteger = kind === 'int' || kind === 'uint';
  return rule === 'order' && isInteger ? scalar : converted(converted(scalar, dtype), dtype, true);
}

function show(value: Value): string {
  if (typeof value === 'object') return `${show(value.re)} + ${show(value.im)}i`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function text({ combination, operands, out }: Expression): string {
  const views = operands.map((operand) =>
    'layout' in operand ? `${operand.dtype} ${JSON.stringify(operand.layout)}` : show(operand.scalar),
  );
  return `${combination.operation.name}(${views.join('; ')})${out ? ` into ${combination.out ?? ''} ${JSON.stringify(out)}` : ''}`;
}
