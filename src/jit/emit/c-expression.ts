import { JitError } from '../error.ts';
import type {
  Binary,
  Call,
  ElementUse,
  Expression,
  FieldUse,
  FunctionTree,
  Operation,
  Target,
  Print,
} from '../tree.ts';
import {
  isFloat,
  isInteger,
  isSame,
  SCALARS,
  settled,
  type ArrayType,
  type KernelType,
  type ScalarType,
} from '../kernel-type.ts';
import { rootOf } from '../read/element.ts';
import { isTakenName } from '../read/scope.ts';
import { baseOf, extentText, halfOf, offsetText, strideText, type Extra, type Extras } from './array-text.ts';
import { literalText } from './literal.ts';
import type { Words } from './words.ts';

/** What the text of an expression needs of its surroundings. */
export interface CContext {
  readonly words: Words;
  readonly extras: Extras;
  readonly tree: FunctionTree;
  /** The name of a struct's type. */
  structName(type: KernelType): string;
  /** What a function that is called asks of its arrays. */
  extrasOf(callee: FunctionTree): readonly Extra[];
}

/** How tightly operators of C bind; an operand that binds less is put in brackets. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  ',': 1,
  '=': 2,
  '?:': 3,
  '||': 4,
  '&&': 5,
  '|': 6,
  '^': 7,
  '&': 8,
  '==': 9,
  '!=': 9,
  '<': 10,
  '<=': 10,
  '>': 10,
  '>=': 10,
  '<<': 11,
  '>>': 11,
  '+': 12,
  '-': 12,
  '*': 13,
  '/': 13,
  '%': 13,
  unary: 14,
  primary: 15,
};

interface Text {
  readonly text: string;
  readonly binds: number;
}

const PRIMARY = PRECEDENCE['primary'] as number;
const UNARY = PRECEDENCE['unary'] as number;

/** The text of an expression in C. */
export function cText(context: CContext, expression: Expression): string {
  return write(context, expression).text;
}

/** The text of an expression whose value nothing is done with. */
export function cEffect(context: CContext, expression: Expression): string {
  if (expression.kind === 'sequence') return expression.items.map((item) => cEffect(context, item)).join(', ');
  if (expression.kind === 'assignment') return assignmentText(context, expression.target, expression.value);
  return expression.kind === 'update' ? updateText(context, expression).text : cText(context, expression);
}

/** The text of an operand of `=`, of a call, or of a list: a comma is in brackets. */
export function cItem(context: CContext, expression: Expression): string {
  return inside(context, expression, PRECEDENCE['='] as number);
}

/** In brackets where it binds less than `least`. */
function inside(context: CContext, expression: Expression, least: number): string {
  const { text, binds } = write(context, expression);
  return binds < least ? `(${text})` : text;
}

function primary(text: string): Text {
  return { text, binds: PRIMARY };
}

function write(context: CContext, expression: Expression): Text {
  switch (expression.kind) {
    case 'constant': {
      const text = literalText(expression.value, settled(expression.type) as ScalarType, context.words);
      return { text, binds: text.startsWith('-') ? UNARY : PRIMARY };
    }
    case 'variable':
      return primary(expression.variable.text);
    case 'unary':
      return {
        text: `${expression.operator}${inside(context, expression.operand, UNARY + (expression.operator === '-' ? 1 : 0))}`,
        binds: UNARY,
      };
    case 'binary':
      return binaryText(context, expression);
    case 'conversion':
      return conversionText(context, expression.operand, expression.type);
    case 'assignment': {
      const text = assignmentText(context, expression.target, expression.value);
      return loaded(expression.target, { text, binds: PRECEDENCE['='] as number });
    }
    case 'update':
      return loaded(expression.target, updateText(context, expression));
    case 'conditional': {
      const least = (PRECEDENCE['?:'] as number) + 1;
      const test = inside(context, expression.test, least);
      const then = inside(context, expression.then, least);
      return { text: `${test} ? ${then} : ${inside(context, expression.otherwise, least - 1)}`, binds: least - 1 };
    }
    case 'sequence': {
      const last = expression.items.length - 1;
      const texts = expression.items.map((item, i) => (i < last ? cEffect(context, item) : inside(context, item, 2)));
      return { text: texts.join(', '), binds: 1 };
    }
    case 'element':
      return primary(elementText(context, expression));
    case 'view':
      return viewText(context, expression);
    case 'extent':
      return lengthText(context, expression);
    case 'field':
      return primary(`${inside(context, expression.object, PRIMARY)}.${fieldName(expression.name)}`);
    case 'aggregate':
      return primary(aggregateText(context, expression));
    case 'call':
      return callText(context, expression);
    case 'address':
      return { text: `&${addressedText(context, expression.element)}`, binds: UNARY };
    case 'device call':
      return primary(deviceCallText(context, expression.callee, expression.args));
    case 'print':
      return primary(printText(context, expression));
  }
}

/** Positions of a tuple are fields, too; other names are changed where C has them. Those of vectors are letters. */
export function fieldName(name: string): string {
  if (/^\d/.test(name)) return `_${name}`;
  const plain = name.replaceAll(/[^\w]/g, (letter) => `_${letter.charCodeAt(0).toString(16)}_`);
  return isTakenName(plain) ? `v_${plain}_` : plain;
}

function typeName(context: CContext, type: KernelType): string {
  return type.kind === 'scalar' ? context.words.types[type.name] : context.structName(type);
}

function binaryText(context: CContext, expression: Binary): Text {
  const { operator, left, right, type, wraps } = expression;
  if (operator === '%' && isFloat(type)) {
    const name = context.words.name === 'cuda' && (type as ScalarType).name === 'f32' ? 'fmodf' : 'fmod';
    return primary(`${name}(${cItem(context, left)}, ${cItem(context, right)})`);
  }
  const isSigned = type.kind === 'scalar' && isInteger(type) && SCALARS[type.name].signed;
  if (wraps && isSigned) return wrappedText(context, expression, type);
  // A bit that leaves the sign behind is undefined in C++ before C++20.
  if (operator === '<<' && isSigned) {
    const [unsigned, own] = [unsignedName(context, type), typeName(context, type)];
    return {
      text: `(${own})((${unsigned})${inside(context, left, UNARY)} << ${inside(context, right, 12)})`,
      binds: UNARY,
    };
  }
  const binds = PRECEDENCE[operator] as number;
  // Brackets that C compilers warn about where they are left out.
  const isMixed = (side: Expression): boolean =>
    side.kind === 'binary' &&
    side.operator !== operator &&
    (MIXED.has(operator) || (operator === '||' && side.operator === '&&'));
  const text = (side: Expression, least: number): string => inside(context, side, isMixed(side) ? PRIMARY : least);
  return { text: `${text(left, binds)} ${operator} ${text(right, binds + 1)}`, binds };
}

const MIXED: ReadonlySet<string> = new Set(['|', '^', '&', '<<', '>>']);

function unsignedName({ words }: CContext, type: ScalarType): string {
  return words.types[SCALARS[type.name].bits === 64 ? 'u64' : 'u32'];
}

/** Signed integers that wrap around: overflow is undefined in C, but for unsigned ones. */
function wrappedText(context: CContext, expression: Binary, type: ScalarType): Text {
  const unsigned = unsignedName(context, type);
  return { text: `(${typeName(context, type)})(${modular(context, expression, unsigned)})`, binds: UNARY };
}

function modular(context: CContext, expression: Expression, unsigned: string): string {
  if (expression.kind === 'binary' && expression.wraps) {
    const sides = [expression.left, expression.right].map((side) => {
      const text = modular(context, side, unsigned);
      return side.kind === 'binary' && side.wraps ? `(${text})` : text;
    });
    return sides.join(` ${expression.operator} `);
  }
  return `(${unsigned})${inside(context, expression, UNARY)}`;
}

function conversionText(context: CContext, operand: Expression, type: KernelType): Text {
  if (type.kind !== 'scalar') return write(context, operand);
  return { text: `(${typeName(context, type)})${inside(context, operand, UNARY)}`, binds: UNARY };
}

/** The value of a store: of halves the number, not its bits. */
function loaded(target: Target, text: Text): Text {
  const half = halfOf(target);
  return half ? primary(`${half}_to_f32(${text.text})`) : text;
}

function assignmentText(context: CContext, target: Target, value: Expression): string {
  const half = halfOf(target);
  if (half) return `${elementText(context, target as never, true)} = f32_to_${half}(${cItem(context, value)})`;
  const place = cText(context, target);
  const isCompound =
    value.kind === 'binary' &&
    isSamePlace(value.left, target) &&
    COMPOUND.has(value.operator) &&
    !value.wraps &&
    isSame(settled(value.type), settled(target.type)) &&
    !(value.operator === '%' && isFloat(value.type)) &&
    !(value.operator === '<<' && SCALARS[(value.type as ScalarType).name].signed);
  if (isCompound) return `${place} ${value.operator}= ${inside(context, value.right, 2)}`;
  return `${place} = ${inside(context, value, 2)}`;
}

/** Whether what is read is what is assigned to: `x += 1` is read as `x = x + 1`. */
function isSamePlace(read: Expression, target: Target): boolean {
  if (read.kind === 'variable' && target.kind === 'variable') return read.variable === target.variable;
  return read === target;
}

const COMPOUND: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>']);

function updateText(context: CContext, expression: Extract<Expression, { kind: 'update' }>): Text {
  const { target, operator, isPrefix } = expression;
  const half = halfOf(target);
  if (half !== undefined) {
    const one = `${cText(context, target)} ${operator[0] ?? '+'} 1.0f`;
    const stored = `${elementText(context, target as never, true)} = f32_to_${half}(${one})`;
    return { text: stored, binds: PRECEDENCE['='] as number };
  }
  const place = cText(context, target);
  return { text: isPrefix ? operator + place : place + operator, binds: UNARY };
}

function elementText(
  context: CContext,
  { array, indices }: Extract<Expression, { kind: 'element' }>,
  isPlace = false,
): string {
  const isOne = indices.length === 1 && (array.type as ArrayType).isFlat;
  const texts = indices.map((index, axis) =>
    inside(context, index, isOne ? 0 : axis === 0 || !(array.type as ArrayType).isFlat ? 13 : 12),
  );
  const place = `${baseOf(array).text}[${offsetText(array, texts, context.extras)}]`;
  const { element } = array.type as ArrayType;
  return !isPlace && (element === 'f16' || element === 'bf16') ? `${element}_to_f32(${place})` : place;
}

function addressedText(context: CContext, place: ElementUse | FieldUse): string {
  return place.kind === 'element' ? elementText(context, place, true) : cText(context, place);
}

function viewText(context: CContext, { array, indices }: Extract<Expression, { kind: 'view' }>): Text {
  const texts = indices.map((index) => inside(context, index, 13));
  return { text: `${baseOf(array).text} + ${offsetText(array, texts, context.extras)}`, binds: 12 };
}

function lengthText(context: CContext, { array, axis }: Extract<Expression, { kind: 'extent' }>): Text {
  if (axis !== 'size') return primary(extentText(array, axis, context.extras));
  const { rank } = array.type as ArrayType;
  const texts = Array.from({ length: rank }, (_, i) => extentText(array, i, context.extras));
  return { text: texts.join(' * '), binds: rank === 1 ? PRIMARY : 13 };
}

function aggregateText(context: CContext, { type, items }: Extract<Expression, { kind: 'aggregate' }>): string {
  const list = items.map((item) => inside(context, item, 2)).join(', ');
  const name = typeName(context, type);
  return type.kind === 'struct' && type.vector !== undefined
    ? context.words.vector(name, list)
    : context.words.aggregate(name, list);
}

function callText(context: CContext, call: Call): Text {
  const { operation, args, type } = call;
  const text = operationText(context, call)(
    args.map((arg) => (isTight(operation) ? inside(context, arg, UNARY) : inside(context, arg, 2))),
    settled(type),
    args.map((arg) => settled(arg.type)),
  );
  const [at] = args;
  const spaced = at?.kind === 'address' ? text.replaceAll('_SPACE(', `${spaceOf(at.element)}(`) : text;
  return { text: spaced, binds: spaced.startsWith('(') ? UNARY : /\s[!=]= /.test(spaced) ? 9 : PRIMARY };
}

/** Whether an argument is the operand of a cast. */
function isTight({ name }: Operation): boolean {
  return name === 'imul' || name === 'nanosleep';
}

function operationText(context: CContext, { operation, start, end }: Call): NonNullable<Operation['opencl']> {
  const text = operation[context.words.name];
  if (text) return text;
  const reason = `OpenCL C has no ${operation.name}: use rawkernel/cuda/jit, or shared memory and cuda.syncthreads()`;
  throw new JitError(reason, context.tree.origin, { start, end });
}

function spaceOf(place: Expression): string {
  if (place.kind === 'field') return spaceOf(place.object);
  const { array } = place as ElementUse;
  const space = rootOf(array)?.type.kind === 'array' ? (rootOf(array)?.type as ArrayType).space : 'global';
  return space === 'shared' ? '_local' : '_global';
}

function deviceCallText(context: CContext, callee: FunctionTree, args: readonly Expression[]): string {
  const texts = args.map((arg) => inside(context, arg, 2));
  const extras = context.extrasOf(callee).map(({ kind, variable, axis }) => {
    const array = args[callee.parameters.indexOf(variable)] as Expression;
    if (kind === 'extent') return extentText(array, axis, context.extras);
    return strideText(array, axis, context.extras);
  });
  return `${callee.name}(${[...texts, ...extras].join(', ')})`;
}

function printText(context: CContext, { parts }: Print): string {
  const values = parts.filter((part) => typeof part !== 'string');
  const format = parts
    .map((part) => (typeof part === 'string' ? quoted(part) : formatOf(part, context.words)))
    .join('');
  const texts = values.map((value) => {
    const text = inside(context, value, UNARY);
    return isFloat(value.type) && context.words.name === 'cuda' ? `(double)${text}` : text;
  });
  return `printf(${[`"${format}"`, ...texts].join(', ')})`;
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('%', '%%');
}

function formatOf({ type }: Expression, { wideFormat }: Words): string {
  const { name } = type as ScalarType;
  if (isFloat(type)) return '%g';
  const { bits, signed } = SCALARS[name];
  return `%${bits === 64 ? wideFormat : ''}${signed || name === 'bool' ? 'd' : 'u'}`;
}
