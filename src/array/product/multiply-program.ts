import type { ArrayDType } from '../dtype.ts';
import { call, type Node } from '../expression/node.ts';
import { operations } from '../operation/table.ts';
import { Program } from '../program.ts';

const programs = new Map<string, Program>();

/** The program that multiplies elements of two dtypes in a given one. */
export function multiplyProgram(a: ArrayDType, b: ArrayDType, result: ArrayDType, output: ArrayDType): Program {
  const name = ['multiply', a, b, 'in', result, ...(output === result ? [] : ['to', output])].join('_');
  let program = programs.get(name);
  if (program === undefined) {
    const inputs: Node[] = [a, b].map((dtype, index) => ({ kind: 'input', index, dtype }));
    const node = call(operations.multiply, inputs, { operands: [result, result], result });
    program = new Program({ name, inputs: [a, b], scalars: [], outputs: [{ dtype: output, node }] });
    programs.set(name, program);
  }
  return program;
}
