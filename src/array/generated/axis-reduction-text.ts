import type { ArrayDType } from '../dtype.ts';
import { registerType, storageType, type Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { Reduction } from '../reduction/reduction.ts';
import type { Language } from './element.ts';
import { foldFunctions, stateType, userFold } from './fold-text.ts';
import { scalarParameters, scalarText } from './kernel-arguments.ts';
import { typeOf, type TypedParameter, type TypeVariables } from './typed-parameter.ts';
import { statements, userText, type UserTextOptions } from './user-text.ts';

/** What a user has written of a reduction along axes. */
export interface AxisReductionWork extends UserTextOptions {
  readonly name: string;
  readonly inputs: readonly TypedParameter[];
  readonly output: TypedParameter;
  readonly map: string;
  readonly reduce: string;
  readonly postMap: string;
  readonly identity: (dtype: ArrayDType) => string;
  /** The dtype that elements become one in; that of the result by default. */
  readonly reduceType: TypedParameter | undefined;
}

/** The place among the reduced elements, and CuPy's numbers of elements. */
const PLACE = /\b_J\b/;
const SIZES: readonly (readonly [RegExp, string])[] = [
  [/\b_in_ind\s*\.\s*size\s*\(\s*\)/g, 'rk_in_size'],
  [/\b_out_ind\s*\.\s*size\s*\(\s*\)/g, 'rk_out_size'],
];

/**
 * The reduction of a call: functions of the user's texts.
 *
 * @param isNumber - which inputs are numbers
 */
export function reductionOf(
  work: AxisReductionWork,
  types: TypeVariables,
  isNumber: readonly boolean[],
  language: Language,
): Reduction {
  const { name, inputs, output, reduce, options } = work;
  const dtype = typeOf(output, types);
  const reduced = work.reduceType === undefined ? dtype : typeOf(work.reduceType, types);
  const state = stateType({ dtype: reduced, struct: undefined });
  const identity = work.identity(reduced);
  const [map, postMap] = [work.map, work.postMap].map((text) =>
    SIZES.reduce((all, [from, to]) => all.replace(from, to), text),
  ) as [string, string];
  const { head, preamble } = userText(language, work, [identity, reduce, map, postMap]);
  const number = (each: string): Parameter => ({ name: each, dtype: 'i64', kind: 'number' });
  const typed = inputs.map((parameter, i) => ({
    ...parameter,
    dtype: typeOf(parameter, types),
    isNumber: isNumber[i] === true,
  }));
  const raws = typed.filter(({ isRaw }) => isRaw);
  const numbers = typed.filter((parameter) => parameter.isNumber);
  const typedefs = Array.from(types, ([variable, each]) => `typedef ${registerType(each)} ${variable};\n`).join('');
  const common = [
    ...numbers.map(({ name: each, dtype: of }) => `const ${registerType(of)} ${each}`),
    ...raws.map(({ name: each, dtype: of }) => `GLOBAL const ${storageType(of)} *${each}`),
    'const i64 rk_in_size',
    'const i64 rk_out_size',
  ];
  const given = [
    ...numbers.map(({ name: each, dtype: of }) => scalarText(each, of)),
    ...raws.map(({ name: each }) => `${each}_memory + ${each}_at`),
    'in_size',
    'out_size',
  ];
  const walked = typed.filter((parameter) => !parameter.isRaw && !parameter.isNumber);
  const elements = walked.map(({ name: each, dtype: of }) => `const ${registerType(of)} ${each}`);
  const hasPlace = PLACE.test(map);
  const mapFormals = [...elements, ...common, ...(hasPlace ? ['const i64 _J'] : [])].join(', ');
  const result = registerType(dtype);
  const functions = `\
FN ${state} ${name}_map(${mapFormals}) {
${indent(`${typedefs}return ${map};`)}
}

FN ${result} ${name}_result(${[`${state} a`, ...common].join(', ')}) {
${indent(`${typedefs}${result} ${output.name};\n${statements(postMap)}\nreturn ${output.name};`)}
}

`;
  const same = { cuda: '', opencl: '' };
  return {
    name: [name, ...new Set([...walked.map((each) => each.dtype), dtype])].join('_'),
    inputs: walked.map((each) => each.dtype),
    value: {
      head,
      preamble: `${preamble}${foldFunctions(name, state, identity, reduce)}${functions}`,
      options,
      memories: raws.map(({ name: each, dtype: of }): Parameter => ({
        name: `${each}_memory`,
        dtype: of,
        kind: 'input',
      })),
      numbers: [
        ...raws.map(({ name: each }) => number(`${each}_at`)),
        number('in_size'),
        number('out_size'),
        ...numbers.flatMap(({ name: each, dtype: of }) => scalarParameters({ name: each, dtype: of, element: same })),
      ],
      text: (names: readonly string[], at: string) =>
        `${name}_map(${[...names, ...given, ...(hasPlace ? [`(i64)(${at})`] : [])].join(', ')})`,
    },
    element: reduced,
    result: dtype,
    fold: () => ({
      ...userFold(
        name,
        { dtype: reduced, struct: undefined },
        {
          dtype,
          text: (value) => `${name}_result(${[value, ...given].join(', ')})`,
        },
      ),
      isPlaced: hasPlace,
    }),
  };
}
