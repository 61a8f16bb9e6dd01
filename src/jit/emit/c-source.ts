import { lineDirective } from '../../core/line-directive.ts';
import { JitError } from '../error.ts';
import type { FunctionTree, Statement, Variable } from '../tree.ts';
import {
  keyOf,
  settled,
  type ArrayType,
  type KernelType,
  type ScalarType,
  type StructType,
  type TupleType,
} from '../kernel-type.ts';
import { portableCudaDialect } from '../../array/kernel/cuda-dialect.ts';
import { openclDialect } from '../../array/kernel/opencl-dialect.ts';
import { halfHelpers } from '../../array/kernel/half-helper.ts';
import { isWritten, type Extra, type Extras } from './array-text.ts';
import { fieldName } from './c-expression.ts';
import { elementType, statementLines, type StatementContext } from './c-statement.ts';
import { waitsForGrid } from './effects.ts';
import { inOrder } from './in-order.ts';
import { helpersIn } from './c-helper.ts';
import { literalText } from './literal.ts';
import type { Words } from './words.ts';

/** One argument of the C kernel, and what of the caller's arguments it is. */
export type KernelPart =
  | { readonly kind: 'memory' | 'offset' | 'extent' | 'stride'; readonly index: number; readonly axis: number }
  /** Memory of the block, whose size the launch gives: OpenCL alone, CUDA's kernels have it without a parameter. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'value'; readonly index: number; readonly path: readonly string[]; readonly type: ScalarType };

/** A kernel in C. */
export interface CSource {
  readonly text: string;
  readonly name: string;
  readonly parts: readonly KernelPart[];
  /** Which arrays the kernel writes, by position. */
  readonly written: readonly boolean[];
  /** Whether its threads wait for the whole grid, all of which has to run at once. */
  readonly isCooperative: boolean;
}

/**
 * Write a kernel and all that it needs as one source.
 *
 * @param isWide - whether lengths and strides have 64 bits
 * @param hasLines - whether `#line` names the lines of the function
 */
export function cSource(
  tree: FunctionTree,
  words: Words,
  options: { readonly isWide: boolean; readonly hasLines: boolean },
): CSource {
  return new Source(words, options).write(tree);
}

/** Write a device function, and all that it needs, for a kernel that is written elsewhere. */
export function cFunction(tree: FunctionTree, words: Words): string {
  return new Source(words, { isWide: false, hasLines: false }).writeFunction(tree);
}

const COOPERATIVE = 'cooperative_groups::';

class Source {
  readonly #words: Words;
  readonly #isWide: boolean;
  readonly #hasLines: boolean;
  readonly #structs = new Map<string, { readonly name: string; readonly text: string }>();
  readonly #extras = new Map<FunctionTree, readonly Extra[]>();
  readonly #functions: string[] = [];
  readonly #constants: string[] = [];

  constructor(words: Words, { isWide, hasLines }: { readonly isWide: boolean; readonly hasLines: boolean }) {
    this.#words = words;
    this.#isWide = isWide;
    this.#hasLines = hasLines;
  }

  write(tree: FunctionTree): CSource {
    for (const callee of tree.callees) this.#writeCallee(callee);
    const { lines, extras } = this.#body(tree);
    const { head, parts, before } = this.#kernelHead(tree, extras);
    this.#addConstants(tree);
    this.#functions.push([head, ...before, ...lines, '}'].join('\n'));
    const text = `${this.#words.head}${this.#whole()}\n`;
    const written = tree.parameters.map((parameter) => isWritten(parameter));
    return { text, name: tree.name, parts, written, isCooperative: waitsForGrid(tree) };
  }

  writeFunction(tree: FunctionTree): string {
    this.#writeCallee(tree);
    return this.#whole();
  }

  /** Structs, constants and helpers, and the functions that need them. */
  #whole(): string {
    const functions = this.#functions.join('\n\n');
    const structs = [...this.#structs.values()].map(({ text }) => text);
    const helpers = helpersIn(functions, this.#words);
    const header = functions.includes(COOPERATIVE) ? '#include <cooperative_groups.h>' : '';
    const pieces = [header, this.#halves(functions), ...structs, this.#constants.join('\n'), ...helpers, functions];
    return pieces.filter((piece) => piece !== '').join('\n\n');
  }

  #writeCallee(callee: FunctionTree): void {
    if (this.#extras.has(callee)) return;
    const [shared] = this.#words.name === 'opencl' ? sharedArraysOf(callee) : [];
    if (shared) {
      const reason = `OpenCL has arrays of the block in kernels alone: make ${shared.name} in the kernel, and give it to ${callee.name} as an argument`;
      throw new JitError(reason, callee.origin, shared.span);
    }
    for (const inner of callee.callees) this.#writeCallee(inner);
    const { lines, extras } = this.#body(callee);
    this.#extras.set(callee, extras);
    this.#addConstants(callee);
    const result = callee.result.kind === 'void' ? 'void' : this.#typeText(callee.result);
    const list = [
      ...callee.parameters.map((parameter) => this.#parameterText(parameter)),
      ...extras.map(({ text }) => `${this.#lengthType()} ${text}`),
    ];
    this.#functions.push(
      [`${this.#words.device} ${result} ${callee.name}(${list.join(', ')}) {`, ...lines, '}'].join('\n'),
    );
  }

  #addConstants(tree: FunctionTree): void {
    for (const variable of tree.constants) {
      const type = elementType(variable.type as ArrayType) as ScalarType;
      const values = (variable.values ?? []).map((value) => literalText(value, type, this.#words));
      this.#constants.push(
        `${this.#words.constant} ${this.#typeText(type)} ${variable.text}[${values.length}] = {${values.join(', ')}};`,
      );
    }
  }

  /** Functions that take halves apart, in the names that arrays' kernels have. */
  #halves(text: string): string {
    const names = ['f16_to_f32', 'f32_to_f16', 'bf16_to_f32', 'f32_to_bf16'].filter((name) =>
      text.includes(`${name}(`),
    );
    if (names.length === 0) return '';
    const dialect = this.#words.name === 'cuda' ? portableCudaDialect : openclDialect;
    const helpers = names.map((name) => dialect.helpers[name] ?? halfHelpers[name]?.('f32') ?? '');
    return [dialect.prelude.trim(), ...helpers.map((helper) => helper.trim())].join('\n');
  }

  #lengthType(): string {
    return this.#words.types[this.#isWide ? 'i64' : 'i32'];
  }

  #parameterText(variable: Variable): string {
    const { type, text } = variable;
    if (type.kind !== 'array') return `${this.#typeText(type)} ${text}`;
    const isConst = !isWritten(variable) && type.space !== 'constant';
    return `${isConst ? 'const ' : ''}${type.space === 'constant' && this.#words.name === 'cuda' ? 'const ' : ''}${this.#words.spaces[type.space]}${this.#typeText(elementType(type))} *${text}`;
  }

  #kernelHead(
    tree: FunctionTree,
    extras: readonly Extra[],
  ): { head: string; parts: readonly KernelPart[]; before: readonly string[] } {
    const list: string[] = [];
    const parts: KernelPart[] = [];
    const before: string[] = [];
    for (const [index, parameter] of tree.parameters.entries()) {
      const { type, text } = parameter;
      if (type.kind === 'array') {
        list.push(this.#parameterText(parameter));
        parts.push({ kind: 'memory', index, axis: 0 });
        if (!type.isFlat) {
          const offset = this.#extraName(tree, `${text}_offset`);
          list.push(`${this.#lengthType()} ${offset}`);
          parts.push({ kind: 'offset', index, axis: 0 });
          before.push(`  ${text} += ${offset};`);
        }
        for (const extra of extras.filter(({ variable }) => variable === parameter)) {
          list.push(`${this.#lengthType()} ${extra.text}`);
          parts.push({ kind: extra.kind, index, axis: extra.axis });
        }
      } else if (type.kind === 'scalar') {
        // OpenCL's kernels take no truth values.
        list.push(`${type.name === 'bool' ? 'int' : this.#typeText(type)} ${text}`);
        parts.push({ kind: 'value', index, path: [], type });
      } else if (type.kind === 'struct' || type.kind === 'tuple') {
        const value = this.#spread(type, text, { tree, index, list, parts, path: [] });
        before.push(`  ${parameter.isAssigned ? '' : 'const '}${this.#typeText(type)} ${text} = ${value};`);
      }
    }
    before.push(...this.#sharedLines(tree, list, parts));
    const line = this.#lineOf(tree, 0);
    const head = `${line === undefined ? '' : `${line}\n`}${this.#words.kernel} ${tree.name}(${list.join(', ')}) {`;
    return { head, parts, before };
  }

  /**
   * OpenCL C has arrays of the block in the outermost block of a kernel alone (OpenCL C 1.2, 6.5.2). Those whose length the launch
   * gives begin at one place, as in CUDA: a parameter of the kernel.
   */
  #sharedLines(tree: FunctionTree, list: string[], parts: KernelPart[]): readonly string[] {
    const arrays = this.#words.name === 'opencl' ? sharedArraysOf(tree) : [];
    const isDynamic = ({ shape = [] }: Variable): boolean => shape[0] === 0;
    const memory = this.#extraName(tree, 'shared_memory');
    if (arrays.some(isDynamic)) {
      // The widest element is a number of 8 bytes: the parameter has an alignment for all.
      list.push(`__local ulong *${memory}`);
      parts.push({ kind: 'shared' });
    }
    return arrays.map((variable) => {
      const element = this.#typeText(elementType(variable.type as ArrayType));
      if (isDynamic(variable)) return `  __local ${element} *const ${variable.text} = (__local ${element} *)${memory};`;
      const size = (variable.shape ?? []).reduce((a, b) => a * b, 1);
      return `  __local ${element} ${variable.text}[${size}];`;
    });
  }

  /** A struct comes as its fields, which both languages pack alike, and is put together in the kernel. */
  #spread(
    type: StructType | TupleType,
    name: string,
    into: {
      readonly tree: FunctionTree;
      readonly index: number;
      readonly list: string[];
      readonly parts: KernelPart[];
      readonly path: readonly string[];
    },
  ): string {
    const { tree, index, list, parts, path } = into;
    const fields = type.kind === 'struct' ? type.fields : type.items.map((item, i) => [String(i), item] as const);
    const texts = fields.map(([field, inner]) => {
      const text = this.#extraName(tree, `${name}_${fieldName(field).replace(/^_/, '')}`, list);
      if (inner.kind === 'struct' || inner.kind === 'tuple')
        return this.#spread(inner, text, { ...into, path: [...path, field] });
      const one = inner as ScalarType;
      list.push(`${one.name === 'bool' ? 'int' : this.#typeText(one)} ${text}`);
      parts.push({ kind: 'value', index, path: [...path, field], type: one });
      return one.name === 'bool' ? `${text} != 0` : text;
    });
    return this.#words.aggregate(this.#typeText(type), texts.join(', '));
  }

  #body(tree: FunctionTree): { lines: readonly string[]; extras: readonly Extra[] } {
    const extras: Extra[] = [];
    const { body, variables } = inOrder(tree);
    const context = this.#context({ ...tree, variables: [...tree.variables, ...variables] }, extras);
    const hoisted = tree.variables
      .filter(
        ({ isHoisted, isMade, type }) =>
          isHoisted && type.kind !== 'void' && (type.kind !== 'array' || isMade === true),
      )
      .map((variable) => this.#hoistedLine(variable));
    const held = variables.map(({ type, text }) => `  ${this.#typeText(type)} ${text};`);
    return { lines: [...hoisted, ...held, ...statementLines(context, body, '  ')], extras };
  }

  #hoistedLine({ type, text, isMade, shape }: Variable): string {
    if (type.kind === 'array') return `  ${this.#typeText(elementType(type))} ${text}[${shape?.[0] ?? 1}];`;
    const whole = settled(type);
    // What the reader makes is given a value before it is read.
    return `  ${this.#typeText(whole)} ${text}${isMade === true ? '' : ` = ${this.#zero(whole)}`};`;
  }

  #zero(type: KernelType): string {
    if (type.kind === 'scalar') return literalText(0, type, this.#words);
    const fields = type.kind === 'struct' ? type.fields.map(([, one]) => one) : type.kind === 'tuple' ? type.items : [];
    return this.#words.aggregate(this.#typeText(type), fields.map((one) => this.#zero(one)).join(', '));
  }

  #context(tree: FunctionTree, extras: Extra[]): StatementContext {
    return {
      words: this.#words,
      tree,
      extras: extrasOf(extras, (name) => this.#extraName(tree, name)),
      structName: (type) => this.#structName(type),
      extrasOf: (callee) => this.#extras.get(callee) ?? [],
      typeText: (type) => this.#typeText(type),
      lineOf: (statement: Statement) => (statement.kind === 'block' ? undefined : this.#lineOf(tree, statement.start)),
    };
  }

  /** @param list - parameters that are there, whose names are taken, too */
  #extraName(tree: FunctionTree, name: string, list: readonly string[] = []): string {
    const taken = new Set([...tree.variables.map(({ text }) => text), ...list.map((one) => /\w+$/.exec(one)?.[0])]);
    let text = name;
    for (let i = 1; taken.has(text); i++) text = `${name}_${i}`;
    return text;
  }

  #lineOf({ origin }: FunctionTree, start: number): string | undefined {
    const place = this.#hasLines ? origin.locate?.(start) : undefined;
    return place && lineDirective({ ...place, column: place.column + 1 });
  }

  #typeText(type: KernelType): string {
    if (type.kind === 'scalar') return this.#words.types[type.name];
    return type.kind === 'void' ? 'void' : this.#structName(type);
  }

  #structName(type: KernelType): string {
    if (type.kind === 'struct' && type.vector !== undefined) return type.vector;
    const key = keyOf(settled(type));
    const known = this.#structs.get(key);
    if (known) return known.name;
    const fields: readonly (readonly [string, KernelType])[] =
      type.kind === 'struct' ? type.fields : (type as TupleType).items.map((item, i) => [String(i), item] as const);
    const members = fields.map(([field, inner]) => `  ${this.#typeText(settled(inner))} ${fieldName(field)};`);
    const name = `Values${this.#structs.size + 1}`;
    this.#structs.set(key, { name, text: `typedef struct {\n${members.join('\n')}\n} ${name};` });
    return name;
  }
}

/** The arrays of the block that a function declares. */
function sharedArraysOf({ variables, parameters }: FunctionTree): readonly Variable[] {
  return variables.filter(
    (variable) =>
      variable.type.kind === 'array' &&
      variable.type.space === 'shared' &&
      variable.alias === undefined &&
      !parameters.includes(variable),
  );
}

function extrasOf(extras: Extra[], nameFor: (name: string) => string): Extras {
  return {
    of(kind, variable, axis) {
      const known = extras.find((extra) => extra.kind === kind && extra.variable === variable && extra.axis === axis);
      if (known) return known.text;
      const { rank } = variable.type as ArrayType;
      const name = kind === 'stride' ? `stride${axis}` : rank === 1 ? 'length' : `shape${axis}`;
      const text = nameFor(`${variable.text}_${name}`);
      extras.push({ kind, variable, axis, text });
      return text;
    },
  };
}
