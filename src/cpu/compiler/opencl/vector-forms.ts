import { BuiltInWriter, elementOf, scalarName, vectorOf, widthOf, type BuiltIn, type Definition } from './built-in.ts';
import { builtinType } from './builtin-types.ts';
import { copyForms } from './copy-forms.ts';
import { memoryForms } from './memory-forms.ts';

// The library has functions over scalars. Their forms over vectors are generated here for the ones that a program uses,
// since there are about ten thousand.

/** Makes a function's definition; undefined where it does not concern it. */
export type Form = (of: BuiltIn) => Definition | undefined;

/** Scalars give 1 for true; every element of a vector gives -1, with the width of the compared elements. */
const RELATIONAL = new RegExp(
  `^(?:${[
    'isequal|isnotequal|isgreater|isgreaterequal|isless|islessequal|islessgreater|isfinite|isinf|isnan|isnormal',
    'isordered|isunordered|signbit',
  ].join('|')})$`,
);
/** Functions that the library has for vectors. */
const WHOLE =
  /^(?:dot|cross|distance|length|normalize|fast_\w+|(?:read|write)_image\w+|get_image_\w+|sub_group_\w+|work_group_\w+)$/;

/** The definition of a function that the library lacks; undefined where it has it. */
export function formOf(of: BuiltIn): Definition | undefined {
  if (WHOLE.test(of.name)) return undefined;
  for (const form of [memoryForms, copyForms, selectForm, anyForm, shuffleForm, elementForm]) {
    const made = form(of);
    if (made) return made;
  }
  return undefined;
}

/** Element by element. */
const elementForm: Form = (of) => {
  const count = Math.max(0, ...of.parameters.map(widthOf));
  if (count === 0) return undefined;
  const writer = new BuiltInWriter(of);
  const parameters = of.parameters.map(elementOf);
  const result = vectorOf(of.result);
  const relational = RELATIONAL.test(of.name);
  const name = scalarName(of.name, of.parameters[0]);
  const elements = Array.from({ length: count }, (_, i) => {
    const values = of.parameters.map((type, k) => {
      if (type.kind === 'vector') return writer.extract(of.types[k] ?? '', `%a${k}`, i);
      const to = type.kind === 'pointer' && type.to.kind === 'vector' ? builtinType(type.to.element) : undefined;
      return to ? writer.address(to.ir, `%a${k}`, i) : `%a${k}`;
    });
    const value = writer.call(name, parameters, values, relational ? 'i32' : (result?.element ?? of.result));
    return relational ? asMask(writer, value, result?.element ?? '') : value;
  });
  return writer.finish(result ? writer.gather(of.result, elements) : '');
};

function asMask(writer: BuiltInWriter, value: string, element: string): string {
  const mask = writer.make(`sub i32 0, ${value}`);
  if (element === 'i32') return mask;
  return writer.make(`${element === 'i64' ? 'sext' : 'trunc'} i32 ${mask} to ${element}`);
}

/** `select` over vectors uses the sign of each element of its condition. */
const selectForm: Form = (of) => {
  const [, , condition = ''] = of.types;
  if (of.name !== 'select' || !vectorOf(condition)) return undefined;
  const writer = new BuiltInWriter(of);
  const bit = writer.make(`icmp slt ${condition} %a2, zeroinitializer`);
  const bits = `<${vectorOf(condition)?.count ?? 0} x i1>`;
  return writer.finish(writer.make(`select ${bits} ${bit}, ${of.result} %a1, ${of.result} %a0`));
};

/** `any` and `all`. */
const anyForm: Form = (of) => {
  const [type = ''] = of.types;
  const vector = vectorOf(type);
  if (!/^(?:any|all)$/.test(of.name) || !vector) return undefined;
  const writer = new BuiltInWriter(of);
  const bits = Array.from({ length: vector.count }, (_, i) =>
    writer.make(`icmp slt ${vector.element} ${writer.extract(type, '%a0', i)}, 0`),
  );
  const joined = bits.reduce((left, right) => writer.make(`${of.name === 'any' ? 'or' : 'and'} i1 ${left}, ${right}`));
  return writer.finish(writer.make(`zext i1 ${joined} to ${of.result}`));
};

/** `shuffle` and `shuffle2`: places that a vector names at run time. */
const shuffleForm: Form = (of) => {
  const two = of.name === 'shuffle2';
  const source = vectorOf(of.types[0] ?? '');
  const maskType = of.types.at(-1) ?? '';
  const mask = vectorOf(maskType);
  if ((of.name !== 'shuffle' && !two) || !source || !mask) return undefined;
  const writer = new BuiltInWriter(of);
  const size = builtinType(of.parameters[0]?.kind === 'vector' ? of.parameters[0].element : '')?.bytes ?? 0;
  const places = source.count * (two ? 2 : 1);
  // In memory an index costs no more than one known beforehand.
  const room = writer.make(`alloca [${places} x ${source.element}], align ${source.count * size}`);
  for (let i = 0; i < (two ? 2 : 1); i++) {
    const at = writer.address(source.element, room, i * source.count);
    writer.line(`store ${of.types[i] ?? ''} %a${i}, ptr ${at}, align ${source.count * size}`);
  }
  const elements = Array.from({ length: mask.count }, (_, i) => {
    const index = writer.extract(maskType, `%a${two ? 2 : 1}`, i);
    const low = writer.make(`and ${mask.element} ${index}, ${places - 1}`);
    const wide = mask.element === 'i64' ? low : writer.make(`zext ${mask.element} ${low} to i64`);
    return writer.make(`load ${source.element}, ptr ${writer.address(source.element, room, wide)}, align ${size}`);
  });
  return writer.finish(writer.gather(of.result, elements));
};
