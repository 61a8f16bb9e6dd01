import type { Call, ElementUse, Expression, FieldUse, FunctionTree, Print, Target, Variable } from '../tree.ts';
import { isFloat, isWide, settled, type ArrayType, type KernelType, type ScalarType } from '../kernel-type.ts';
import { isQuiet } from '../read/effect.ts';
import { jsBinary, jsConversion, jsNegation } from './js-arithmetic.ts';
import { jsExtent, jsLoad, jsPlace, jsStored, jsView, type ArrayWriter } from './js-array.ts';
import { jsLiteral } from './js-literal.ts';
import { JsNames } from './js-name.ts';
import type { JsProgram, Site } from './js-program.ts';
import { recordPlace, type RecordPlace } from './js-record.ts';

/** Writes the expressions of one function in JavaScript. */
export class JsExpressions implements ArrayWriter {
  readonly #program: JsProgram;
  readonly #tree: FunctionTree;
  readonly #names: JsNames;

  constructor(program: JsProgram, tree: FunctionTree) {
    this.#program = program;
    this.#tree = tree;
    this.#names = new JsNames([...new Set([...tree.parameters, ...tree.variables])], tree.origin);
  }

  name(variable: Variable): string {
    if (variable.values !== undefined) return `$k_${variable.text}`;
    return this.#names.of(variable);
  }

  site(span: Expression, more: Pick<Site, 'array' | 'access'> = {}): number {
    return this.#program.site(this.#tree, span, more);
  }

  text(expression: Expression): string {
    const site = (): number => this.site(expression);
    switch (expression.kind) {
      case 'constant':
        return jsLiteral(expression.value, settled(expression.type) as ScalarType);
      case 'variable':
        return this.name(expression.variable);
      case 'unary':
        return this.#unary(expression);
      case 'binary':
        return this.#marked(
          expression,
          jsBinary(expression, this.text(expression.left), this.text(expression.right), site),
        );
      case 'conversion':
        return jsConversion(
          this.text(expression.operand),
          settled(expression.operand.type),
          settled(expression.type),
          site,
        );
      case 'assignment':
        return this.#assignment(expression, false);
      case 'update':
        return this.#update(expression, false);
      case 'conditional':
        return `(${this.text(expression.test)} ? ${this.text(expression.then)} : ${this.text(expression.otherwise)})`;
      case 'sequence':
        return `(${expression.items.map((item) => this.text(item)).join(', ')})`;
      case 'element': {
        const place = recordPlace(expression);
        if (place) return this.#record(expression, place);
        const { data, index } = jsPlace(this, expression, 'read');
        return this.#marked(expression, jsLoad(`${data}[${index}]`, expression.array.type as ArrayType));
      }
      case 'view':
        return this.#marked(expression, jsView(this, expression));
      case 'extent':
        return jsExtent(this, expression);
      case 'field': {
        const place = recordPlace(expression);
        if (place) return this.#record(expression, place);
        return `${this.text(expression.object)}[${fieldKey(expression.name)}]`;
      }
      case 'aggregate':
        return this.#aggregate(expression);
      case 'call':
        return this.#call(expression);
      case 'address': {
        return this.#address(expression.element);
      }
      case 'device call':
        return this.#deviceCall(expression);
      case 'print':
        return this.#print(expression);
    }
  }

  /** An expression whose value nothing is done with. */
  effect(expression: Expression): string {
    if (expression.kind === 'update') return this.#update(expression, true);
    return expression.kind === 'assignment' ? this.#assignment(expression, true) : this.text(expression);
  }

  /** A copy where the value is one of a variable's, which both would change else. */
  value(expression: Expression): string {
    const { kind } = expression.type;
    const text = this.text(expression);
    const isNew =
      expression.kind === 'aggregate' || expression.kind === 'device call' || recordPlace(expression) !== undefined;
    return (kind === 'struct' || kind === 'tuple') && !isNew ? `$m.copy(${text})` : text;
  }

  #marked(expression: Expression, text: string): string {
    return `${this.#program.mark(this.#tree, expression)}${text}`;
  }

  #unary(expression: Extract<Expression, { kind: 'unary' }>): string {
    const operand = this.text(expression.operand);
    const type = settled(expression.type) as ScalarType;
    if (expression.operator === '-') return jsNegation(type, operand, () => this.site(expression));
    if (expression.operator === '~' && type.name === 'u64') return `BigInt.asUintN(64, ~${operand})`;
    return `(${expression.operator}${operand})`;
  }

  #assignment(expression: Extract<Expression, { kind: 'assignment' }>, isIdle: boolean): string {
    const { target, value } = expression;
    const text = this.value(value);
    if (!isInMemory(target)) return `(${this.text(target)} = ${text})`;
    return this.#marked(expression, this.#store(target, text, isIdle));
  }

  #update(expression: Extract<Expression, { kind: 'update' }>, isIdle: boolean): string {
    const { target, operator, isPrefix } = expression;
    const type = settled(target.type) as ScalarType;
    const whole: ScalarType =
      isFloat(type) || isWide(type) || type.name === 'u32' ? type : { kind: 'scalar', name: 'i32' };
    const old = this.text(target);
    const site = (): number => this.site(expression);
    const sum = { operator: operator === '++' ? '+' : '-', type: whole, wraps: false } as const;
    const next = jsConversion(jsBinary(sum, old, jsLiteral(1, whole), site), whole, type, site);
    const written = isInMemory(target) ? this.#store(target, next, isIdle || !isPrefix) : `(${old} = ${next})`;
    return this.#marked(expression, isPrefix || isIdle ? written : `$m.first(${old}, ${written})`);
  }

  /** An element of an array of structs, or a part of one: what is done with it where there is a value to store. */
  #record(expression: Expression, { element, size, offset, type }: RecordPlace, stored?: string): string {
    const { data, index } = jsPlace(this, element, stored === undefined ? 'read' : 'write');
    const part = type.kind === 'struct' ? this.#program.record(type) : `$m.bytes.${(type as ScalarType).name}`;
    const place = `${data}, ${index} * ${size}${offset === 0 ? '' : ` + ${offset}`}`;
    return stored === undefined
      ? this.#marked(expression, `${part}.load(${place})`)
      : `${part}.store(${place}, ${stored})`;
  }

  /** The array and the place in it, which operations without another thread between take. */
  #address(place: ElementUse | FieldUse): string {
    const field = recordPlace(place);
    const { data, index } = jsPlace(this, field ? field.element : (place as ElementUse), 'atomic');
    if (field === undefined) return `${data}, ${index}`;
    return `$m.cell('${(field.type as ScalarType).name}', ${data}, ${index} * ${field.size} + ${field.offset}), 0`;
  }

  #store(target: ElementUse | FieldUse, text: string, isIdle: boolean): string {
    const place = recordPlace(target);
    if (place) return this.#record(target, place, text);
    if (target.kind !== 'element') throw new Error('A part of a variable is no place in memory');
    const { data, index } = jsPlace(this, target, 'write');
    const type = target.array.type as ArrayType;
    const stored = `(${data}[${index}] = ${jsStored(text, type)})`;
    return isIdle ? stored : jsLoad(stored, type);
  }

  #aggregate({ type, items }: Extract<Expression, { kind: 'aggregate' }>): string {
    const texts = items.map((item) => this.value(item));
    if (type.kind === 'tuple') return `[${texts.join(', ')}]`;
    return `({ ${type.fields.map(([name], i) => `${fieldKey(name)}: ${texts[i] ?? ''}`).join(', ')} })`;
  }

  #call(call: Call): string {
    const { operation, args, type } = call;
    const texts = args.map((arg) => this.text(arg));
    if (operation.isChecked === true) texts.push(String(this.site(call)));
    const text = operation.js(
      texts,
      settled(type),
      args.map((arg) => settled(arg.type)),
    );
    const isRounded = isF32(type) && isQuiet(operation);
    return this.#marked(call, isRounded ? `Math.fround(${text})` : `(${text})`);
  }

  #deviceCall(call: Extract<Expression, { kind: 'device call' }>): string {
    const args = ['$', ...call.args.map((arg) => this.value(arg))].join(', ');
    const text = `$f_${call.callee.name}(${args})`;
    return this.#marked(call, this.#program.waits(call.callee) ? `(yield* ${text})` : text);
  }

  #print({ parts }: Print): string {
    const texts = parts.map((part) => {
      if (typeof part === 'string') return JSON.stringify(part);
      return `$m.shown(${this.text(part)}, ${isFloat(part.type)})`;
    });
    return `$m.print(${texts.join(', ')})`;
  }
}

/** Whether a place is an element, or a part of one. */
function isInMemory(target: Target): target is ElementUse | FieldUse {
  return target.kind === 'element' || recordPlace(target) !== undefined;
}

function isF32(type: KernelType): boolean {
  return type.kind === 'scalar' && type.name === 'f32';
}

function fieldKey(name: string): string {
  return /^\d+$/.test(name) ? name : JSON.stringify(name);
}
