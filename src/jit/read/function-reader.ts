import type * as Acorn from 'acorn';
import { JitError } from '../error.ts';
import type { Expression, FunctionTree, Label, Span, Statement, Variable } from '../tree.ts';
import { I32, I64, join, keyOf, settled, typeText, UNKNOWN, VOID, type KernelType } from '../kernel-type.ts';
import { arrayOfConstants } from './constant-array.ts';
import { convert } from './convert.ts';
import { markWritten } from './element.ts';
import { readExpression } from './expression.ts';
import { useOf } from './hold.ts';
import { unknown } from './operator.ts';
import { takePattern } from './pattern.ts';
import { spanOf, type ConstantSet, type ConstantValue, type DeviceText } from './reading.ts';
import { Scope, Variables } from './scope.ts';
import type { Source, Stencil } from './source.ts';
import type { Body } from './body.ts';
import { readStatement } from './statement.ts';
import { hoistedNames } from './hoisted.ts';

/** What the functions of one kernel share. */
export interface Program {
  readonly isWide: boolean;
  /** The function of a device text for these types, which is read when it is first asked for. */
  readonly instance: (
    device: DeviceText,
    types: readonly KernelType[],
    fail: (reason: string) => never,
  ) => FunctionTree;
  /** A name for a function, a struct or an array of constants, which no other has. */
  readonly globalName: (name: string) => string;
}

/** Types become wider from pass to pass, and there are few of them: this many passes are a fault of ours. */
const MAX_PASSES = 64;

/**
 * Give each variable and expression of a function a type, from those of its parameters.
 *
 * Passes over the whole function join what each variable is given, until a pass changes nothing: that one's tree has all types.
 *
 * @throws {@link JitError} something that a kernel cannot have
 */
export function readTree(source: Source, types: readonly KernelType[], program: Program): FunctionTree {
  const reader = new FunctionReader(source, types, program);
  return reader.read();
}

class FunctionReader implements Body {
  readonly isKernel: boolean;
  readonly isWide: boolean;
  readonly #source: Source;
  readonly #types: readonly KernelType[];
  readonly #program: Program;
  readonly #variables = new Variables();
  readonly #constantArrays = new Map<unknown, Variable>();
  /** Parameters that are taken apart. */
  readonly #patterns = new Map<Acorn.Pattern, Variable>();
  #callees = new Set<FunctionTree>();
  readonly #labels: Label[] = [];
  readonly #labelTexts = new Map<number, string>();
  #scope = new Scope();
  #constants: ReadonlyMap<string, ConstantValue> = new Map();
  #result: KernelType = UNKNOWN;

  constructor(source: Source, types: readonly KernelType[], program: Program) {
    this.#source = source;
    this.#types = types;
    this.#program = program;
    this.isKernel = source.isKernel;
    this.isWide = program.isWide;
  }

  readonly fail = (span: Span, reason: string): never => {
    throw new JitError(reason, this.#source.text.origin, span);
  };

  read(): FunctionTree {
    // Before those of what it calls: a kernel keeps its own name.
    const name = this.#program.globalName(this.#source.text.name);
    const parameters = this.#parameters();
    let before = '';
    for (let pass = 0; ; pass++) {
      if (pass === MAX_PASSES) throw new Error(`The types of ${this.#source.text.name} do not settle`);
      this.#callees = new Set();
      const body = this.#pass(parameters);
      const after = [...this.#variables.all.map(({ type }) => keyOf(type)), keyOf(this.#result)].join(';');
      if (after === before) return this.#finish(name, parameters, body);
      before = after;
    }
  }

  #finish(name: string, parameters: readonly Variable[], body: readonly Statement[]): FunctionTree {
    this.#checkTypes();
    return {
      name,
      parameters,
      result: this.#result.kind === 'unknown' ? VOID : settled(this.#result),
      body,
      variables: this.#variables.all,
      callees: [...this.#callees],
      constants: [...this.#constantArrays.values()],
      origin: this.#source.text.origin,
    };
  }

  #pass(parameters: readonly Variable[]): readonly Statement[] {
    this.#scope = new Scope();
    for (const parameter of parameters) this.#scope.add(parameter);
    const { body } = this.#source.text;
    // What var declares is known in the whole function.
    for (const id of hoistedNames(body)) this.declare(id.name, id, true);
    const taken = [...this.#patterns].flatMap(([pattern, whole]) =>
      takePattern(this, pattern, useOf(whole, pattern), false),
    );
    if (body.type === 'BlockStatement') return [...taken, ...body.body.flatMap((one) => readStatement(this, one))];
    // An arrow function without braces: of a kernel a statement, of a device function what it returns.
    const wrapped = this.isKernel
      ? { type: 'ExpressionStatement', expression: body, ...spanOf(body) }
      : { type: 'ReturnStatement', argument: body, ...spanOf(body) };
    return [...taken, ...readStatement(this, wrapped as Acorn.Statement)];
  }

  #parameters(): readonly Variable[] {
    const { parameters, origin } = this.#source.text;
    const { constants } = this.#source;
    const patterns = [...parameters];
    const count = this.#types.length - (this.#source.stencil?.rank ?? 0);
    if (constants !== undefined && patterns.length === count + 1)
      this.#takeConstants(patterns.pop() as Acorn.Pattern, constants);
    if (patterns.length !== count) {
      const last = patterns.at(-1);
      const hint =
        last?.type === 'ObjectPattern' && constants === undefined ? '; constants are given by { const: { … } }' : '';
      throw new JitError(
        `the function has ${patterns.length} parameter${patterns.length === 1 ? '' : 's'}, and is given ${count} argument${count === 1 ? '' : 's'}${hint}`,
        origin,
        { start: parameters[0]?.start ?? 0, end: parameters.at(-1)?.end ?? 1 },
      );
    }
    const { stencil } = this.#source;
    if (stencil) return this.#stencilParameters(patterns, stencil);
    const variables = patterns.map((pattern, i) => this.#parameter(pattern, i));
    return this.isKernel ? variables.map((variable) => Object.assign(variable, { isArgument: true })) : variables;
  }

  #parameter(pattern: Acorn.Pattern, i: number): Variable {
    if (pattern.type === 'ObjectPattern' || pattern.type === 'ArrayPattern') {
      const whole = this.#variables.made('values', pattern, false);
      whole.type = settled(this.#types[i] as KernelType);
      this.#patterns.set(pattern, whole);
      return whole;
    }
    if (pattern.type !== 'Identifier')
      return this.fail(
        pattern,
        'a parameter must be a name, or names of a struct as { x, y }: no default, and no rest',
      );
    return this.#variables.declare(pattern.name, pattern, settled(this.#types[i] as KernelType));
  }

  #stencilParameters(
    patterns: readonly Acorn.Pattern[],
    { rank, standard, neighborhood }: Stencil,
  ): readonly Variable[] {
    const parameters = patterns.map((pattern, i) => this.#parameter(pattern, i));
    const positions = Array.from({ length: rank }, (_, axis) => {
      // Places that nothing in the text has.
      const span = { start: -1 - axis, end: -1 - axis };
      return this.#variables.declare(`at${axis}`, span, this.isWide ? I64 : I32);
    });
    for (const parameter of parameters) {
      if (parameter.type.kind !== 'array' || parameter.type.rank !== rank || standard.has(parameter.name)) continue;
      const reach = positions.map((_, axis): [number, number] => {
        const [least, most] = neighborhood?.[axis] ?? [0, 0];
        return [least, most];
      });
      parameter.relative = { positions, reach, isGiven: neighborhood !== undefined };
    }
    return [...parameters, ...positions];
  }

  #takeConstants(pattern: Acorn.Pattern, constants: ConstantSet): void {
    const names = new Map<string, ConstantValue>();
    if (pattern.type === 'Identifier') names.set(pattern.name, constants);
    else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.value.type !== 'Identifier')
          return this.fail(property, 'constants are taken by their names: { R, taps }');
        const { name } = property.key;
        const value = Object.hasOwn(constants, name) ? constants[name] : undefined;
        if (value === undefined)
          return this.fail(
            property,
            `{ const: … } must have ${name}, got ${Object.keys(constants).join(', ') || 'nothing'}`,
          );
        names.set(property.value.name, value);
      }
    } else return this.fail(pattern, 'constants are the last parameter: { R, taps }');
    this.#constants = names;
  }

  /** After the last pass, each variable has a type. */
  #checkTypes(): void {
    for (const { name, type, span } of this.#variables.all) {
      if (type.kind === 'unknown') this.fail(span, `${name} has no type: give it a value`);
    }
  }

  statement(node: Acorn.Statement): readonly Statement[] {
    return readStatement(this, node);
  }

  expression(node: Acorn.Node): Expression {
    return readExpression(this, node);
  }

  textOf({ start, end }: Span): string {
    return this.#source.text.origin.text.slice(start, end);
  }

  lookup(name: string): Variable | { readonly constant: ConstantValue } | undefined {
    const variable = this.#scope.find(name);
    if (variable) return variable;
    const constant = this.#constants.get(name);
    return constant === undefined ? undefined : { constant };
  }

  inScope<T>(read: () => T): T {
    const outer = this.#scope;
    this.#scope = new Scope(outer);
    try {
      return read();
    } finally {
      this.#scope = outer;
    }
  }

  labelled<T>(name: string, { start }: Span, read: (label: Label) => T): T {
    const text = this.#labelTexts.get(start) ?? this.#variables.text(name);
    this.#labelTexts.set(start, text);
    const label: Label = { name, text, isBroken: false, isContinued: false };
    this.#labels.push(label);
    try {
      return read(label);
    } finally {
      this.#labels.pop();
    }
  }

  labelNamed(name: string): Label | undefined {
    return this.#labels.findLast((label) => label.name === name);
  }

  declare(name: string, span: Span, isHoisted: boolean): Variable {
    // The same name declared by var once more is the same variable.
    const again = isHoisted ? this.#scope.find(name) : undefined;
    if (again) return again;
    const variable = this.#variables.declare(name, span, UNKNOWN, isHoisted);
    if (isHoisted) this.#scope.addToTop(variable);
    else this.#scope.add(variable);
    return variable;
  }

  made(name: string, span: Span, isHoisted: boolean): Variable {
    return this.#variables.made(name, span, isHoisted);
  }

  returned(value: Expression | undefined, span: Span): Expression | undefined {
    if (this.isKernel) {
      if (value === undefined) return undefined;
      return this.fail(span, 'a kernel returns nothing: write the result to an array');
    }
    const type = value?.type ?? VOID;
    const found = join(this.#result, type);
    if (found === undefined)
      return this.fail(
        span,
        `the function must return one type, got ${typeText(this.#result)} before and ${typeText(type)} here`,
      );
    if (found.kind === 'array')
      return this.fail(span, 'a device function cannot return an array: write to one that it is given');
    this.#result = found;
    return value && convert(value, settled(found), this.fail);
  }

  constantArray(value: ArrayBufferView | readonly ConstantValue[], span: Span): Expression {
    let variable = this.#constantArrays.get(value);
    if (variable === undefined) {
      const found = arrayOfConstants(value, (reason) => this.fail(span, reason));
      variable = {
        name: 'constants',
        text: this.#program.globalName('constants'),
        isAssigned: false,
        isWritten: false,
        isHoisted: false,
        span,
        ...found,
      };
      this.#constantArrays.set(value, variable);
    }
    return { kind: 'variable', variable, type: variable.type, ...spanOf(span) };
  }

  callDevice(device: DeviceText, args: readonly Expression[], span: Span): Expression {
    if (args.some(({ type }) => type.kind === 'unknown')) return unknown(span);
    const types = args.map(({ type }) => settled(type));
    const callee = this.#program.instance(device, types, (reason) => this.fail(span, reason));
    this.#callees.add(callee);
    const converted = args.map((arg, i) => {
      const parameter = callee.parameters[i] as Variable;
      if (parameter.isWritten) markWritten(arg);
      return parameter.type.kind === 'array' ? arg : convert(arg, parameter.type, this.fail);
    });
    return { kind: 'device call', callee, args: converted, type: callee.result, ...spanOf(span) };
  }
}
