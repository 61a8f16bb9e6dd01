import type { FunctionTree, Variable } from '../tree.ts';
import { settled } from '../kernel-type.ts';
import { waitsForGrid } from './effects.ts';
import { JsExpressions } from './js-expression.ts';
import { JsProgram } from './js-program.ts';
import { jsLines, jsZero, newArray } from './js-statement.ts';

/** A kernel in JavaScript, with the marks of its places. */
export interface JsSource {
  /** A function of the helpers and of the arrays of constants, which returns the kernel: `(thread, …arguments)`. */
  readonly marked: string;
  readonly program: JsProgram;
  readonly constants: readonly Variable[];
  /** Whether threads wait for each other: then the kernel is a generator. */
  readonly waits: boolean;
  /** Whether blocks do. */
  readonly waitsForGrid: boolean;
}

/** Write a kernel and the functions that it calls. */
export function jsSource(tree: FunctionTree): JsSource {
  const program = new JsProgram();
  const functions = [...new Set(allOf(tree))];
  const constants = functions.flatMap((one) => one.constants);
  const names = constants.map(({ text }) => `$k_${text}`);
  const lines = functions.flatMap((one) => functionLines(program, one, one === tree));
  const { records } = program;
  const marked = [
    `(function ($m${names.map((name) => `, ${name}`).join('')}) {`,
    `'use strict';`,
    ...(records.length === 0 ? [] : [`const $r = $m.records(${JSON.stringify(records)});`]),
    ...lines,
    `return $f_${tree.name};`,
    '})',
  ].join('\n');
  return { marked, program, constants, waits: program.waits(tree), waitsForGrid: waitsForGrid(tree) };
}

/** The called before the calling. */
function allOf(tree: FunctionTree): readonly FunctionTree[] {
  return [...tree.callees.flatMap(allOf), tree];
}

function functionLines(program: JsProgram, tree: FunctionTree, isKernel: boolean): readonly string[] {
  const expressions = new JsExpressions(program, tree);
  const names = tree.parameters.map((parameter) => expressions.name(parameter));
  const star = program.waits(tree) ? '*' : '';
  const all = new Set([...names, ...tree.variables.map((variable) => expressions.name(variable))]);
  // For debuggers, which show the variables of the function.
  const places = ['threadIdx', 'blockIdx', 'blockDim', 'gridDim'].filter((name) => !all.has(name));
  const hoisted = tree.variables
    .filter(({ isHoisted, type }) => isHoisted && type.kind !== 'array' && type.kind !== 'void')
    .map((variable) => `  let ${expressions.name(variable)} = ${jsZero(settled(variable.type))};`);
  // Lists that are indexed where they stand.
  const lists = tree.variables
    .filter(({ isHoisted, isMade, type }) => isHoisted && isMade === true && type.kind === 'array')
    .map((variable) => `  const ${expressions.name(variable)} = ${newArray(program, variable)};`);
  const copies = tree.parameters
    .filter(({ type }) => isKernel && (type.kind === 'struct' || type.kind === 'tuple'))
    .map((parameter) => expressions.name(parameter))
    .map((name) => `  ${name} = $m.copy(${name});`);
  // A method may have any name, and has the name in stack traces.
  const method = `${star}${tree.name}(${['$', ...names].join(', ')}) {`;
  return [
    `${program.mark(tree, { start: 0, end: 0 })}const $f_${tree.name} = ({ ${method}`,
    ...(places.length > 0 ? [`  const { ${places.join(', ')} } = $;`] : []),
    // What stands behind `cuda` in the function: editors show it under the pointer, and conditions may be written with it.
    ...(all.has('cuda') ? [] : ['  const cuda = $;']),
    ...copies,
    ...hoisted,
    ...lists,
    ...jsLines({ program, tree, expressions }, tree.body, '  '),
    `} }).${tree.name};`,
  ];
}
