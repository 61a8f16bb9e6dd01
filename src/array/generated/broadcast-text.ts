import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Statement } from '../expression/node.ts';
import { registerType, storageType, type Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { Language } from './element.ts';
import { typeOf, type TypedParameter, type TypeVariables } from './typed-parameter.ts';
import { statements, userText, type UserTextOptions } from './user-text.ts';

/** What a user has written of an elementwise kernel without an index. */
export interface BroadcastWork extends UserTextOptions {
  readonly name: string;
  readonly inputs: readonly TypedParameter[];
  readonly outputs: readonly TypedParameter[];
  readonly operation: string;
  readonly loopPrep: string;
  readonly afterLoop: string;
}

/** What one call differs from others in. */
export interface BroadcastCase {
  readonly types: TypeVariables;
  /** Which inputs are numbers. */
  readonly isNumber: readonly boolean[];
  /** Whether what outputs hold is read before. */
  readonly readsOutputs: boolean;
  readonly language: Language;
}

/** The words by which a text reads the place of the element. */
const PLACE = /\bi\b|\b_ind\b/;

/** Whether a text may leave an output as it was: unless it begins a statement that sets it, whatever holds. */
export function mayKeep({ operation }: BroadcastWork, name: string): boolean {
  if (/\b(?:continue|break|goto|return)\b/.test(operation)) return true;
  const [before, after] = operation.split(new RegExp(`\\b${name}\\b`), 2);
  return (
    after === undefined ||
    !/^\s*=(?!=)/.test(after) ||
    !/^$|[;}]$/.test((before ?? '').trim()) ||
    depth(before ?? '') > 0
  );
}

function depth(text: string): number {
  return text.split('{').length - text.split('}').length;
}

/** The statement of a call: a function of the user's texts, and a call of it. */
export function broadcastStatement(work: BroadcastWork, call: BroadcastCase): Statement {
  const { name, inputs, outputs, operation, loopPrep, afterLoop } = work;
  const { types, isNumber, readsOutputs } = call;
  const texts = [loopPrep, operation, afterLoop];
  const hasPlace = texts.some((text) => PLACE.test(text));
  const results = outputs.filter(({ isRaw }) => !isRaw);
  const raws = [...inputs, ...outputs].filter(({ isRaw }) => isRaw);
  const { head, preamble } = userText(call.language, work, texts);
  const body = texts.map((text) => statements(text.replace(/\b_ind\s*\.\s*size\s*\(\s*\)/g, 'rk_size')));
  const isOutput = (parameter: TypedParameter): boolean => outputs.includes(parameter);
  const formals = [
    ...[...inputs, ...outputs].flatMap((parameter) =>
      formal(parameter, typeOf(parameter, types), isOutput(parameter), readsOutputs),
    ),
    ...(hasPlace ? ['const i64 i', 'const i64 rk_size'] : []),
  ];
  const type = returnType(name, results, types);
  const lines = [
    ...Array.from(types, ([variable, dtype]) => `typedef ${registerType(dtype)} ${variable};`),
    ...results.map(
      (parameter) =>
        `${registerType(typeOf(parameter, types))} ${parameter.name} = ${readsOutputs ? `rk_${parameter.name}` : zero(typeOf(parameter, types))};`,
    ),
    body[0] ?? '',
    'do {',
    indent(body[1] ?? ''),
    '} while (0);',
    body[2] ?? '',
    ...returnLines(name, results),
  ];
  const text = lines
    .filter((line) => line !== '')
    .map(indent)
    .join('\n');
  return {
    head,
    preamble: `${preamble}${resultsType(name, results, types)}FN ${type} ${name}_element(${formals.join(', ')}) {\n${text}\n}\n\n`,
    options: work.options,
    parameters: rawParameters(raws, isOutput, types),
    writesMemory: outputs.some(({ isRaw }) => isRaw),
    hasPlace,
    lines: (place, size) => {
      const actuals = [
        ...actualsOf(work, isNumber, readsOutputs),
        ...(hasPlace ? [`(i64)${place}`, `(i64)(${size})`] : []),
      ];
      const called = `${name}_element(${actuals.join(', ')})`;
      if (results.length === 0) return { lines: [`${called};`], outputs: [] };
      return {
        lines: [`const ${type} result = ${called};`],
        outputs: results.length === 1 ? ['result'] : results.map((parameter) => `result.${parameter.name}`),
      };
    },
  };
}

function formal(
  { name, isRaw }: TypedParameter,
  dtype: ArrayDType,
  isOutput: boolean,
  readsOutputs: boolean,
): string[] {
  if (isRaw) return [`GLOBAL ${isOutput ? '' : 'const '}${storageType(dtype)} *${name}`];
  if (!isOutput) return [`const ${registerType(dtype)} ${name}`];
  return readsOutputs ? [`const ${registerType(dtype)} rk_${name}`] : [];
}

function returnType(name: string, results: readonly TypedParameter[], types: TypeVariables): string {
  const [first] = results;
  if (first === undefined) return 'void';
  return results.length === 1 ? registerType(typeOf(first, types)) : `${name}_results`;
}

function resultsType(name: string, results: readonly TypedParameter[], types: TypeVariables): string {
  if (results.length < 2) return '';
  const fields = results.map((parameter) => `  ${registerType(typeOf(parameter, types))} ${parameter.name};\n`);
  return `typedef struct {\n${fields.join('')}} ${name}_results;\n\n`;
}

function returnLines(name: string, results: readonly TypedParameter[]): string[] {
  const [first] = results;
  if (first === undefined) return [];
  if (results.length === 1) return [`return ${first.name};`];
  return [
    `${name}_results rk_results;`,
    ...results.map((parameter) => `rk_results.${parameter.name} = ${parameter.name};`),
    'return rk_results;',
  ];
}

function zero(dtype: ArrayDType): string {
  return arrayDTypes[dtype].kind === 'complex' ? `${dtype.toUpperCase()}(0, 0)` : '0';
}

function rawParameters(
  raws: readonly TypedParameter[],
  isOutput: (parameter: TypedParameter) => boolean,
  types: TypeVariables,
): Parameter[] {
  return [
    ...raws.map((parameter): Parameter => {
      return {
        name: `${parameter.name}_memory`,
        dtype: typeOf(parameter, types),
        kind: isOutput(parameter) ? 'output' : 'input',
      };
    }),
    ...raws.map(({ name }): Parameter => ({ name: `${name}_at`, dtype: 'i64', kind: 'number' })),
  ];
}

/** What the kernel passes to the function: elements `x0` are those of the inputs that are arrays, then those of the outputs. */
function actualsOf({ inputs, outputs }: BroadcastWork, isNumber: readonly boolean[], readsOutputs: boolean): string[] {
  let elements = 0;
  let numbers = 0;
  const raw = (name: string): string => `${name}_memory + ${name}_at`;
  return [
    ...inputs.map(({ name, isRaw }, i) =>
      isRaw ? raw(name) : isNumber[i] === true ? `s${numbers++}` : `x${elements++}`,
    ),
    ...outputs.flatMap(({ name, isRaw }) => (isRaw ? [raw(name)] : readsOutputs ? [`x${elements++}`] : [])),
  ];
}
