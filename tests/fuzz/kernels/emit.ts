import {
  threadsOf,
  type ArrayOf,
  type Condition,
  type Element,
  type Expression,
  type Mutation,
  type Program,
  type Statement,
} from './program.ts';

/** A language of kernels. */
export type Language = 'cuda' | 'opencl';

interface Words {
  readonly types: Readonly<Record<Element, string>>;
  readonly kernel: string;
  readonly global: string;
  readonly shared: string;
  readonly barrier: string;
  readonly warpBarrier: string;
  readonly fence: string;
  readonly atomic: (operation: string) => string;
  /** The thread of an axis, and the block. */
  readonly axis: (i: number) => string;
  readonly block: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  cuda: {
    types: {
      u8: 'unsigned char',
      u16: 'unsigned short',
      u32: 'unsigned',
      u64: 'unsigned long long',
      f32: 'float',
      f64: 'double',
    },
    kernel: '__global__ void',
    global: '',
    shared: '__shared__ ',
    barrier: '__syncthreads();',
    warpBarrier: '__syncwarp();',
    fence: '__threadfence();',
    atomic: (operation) => `atomic${operation[0]?.toUpperCase() ?? ''}${operation.slice(1)}`,
    axis: (i) => `threadIdx.${'xyz'[i] ?? ''}`,
    block: 'blockIdx.x',
  },
  opencl: {
    types: { u8: 'uchar', u16: 'ushort', u32: 'unsigned', u64: 'ulong', f32: 'float', f64: 'double' },
    kernel: '__kernel void',
    global: '__global ',
    shared: '__local ',
    barrier: 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);',
    warpBarrier: 'sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);',
    fence: 'mem_fence(CLK_GLOBAL_MEM_FENCE);',
    atomic: (operation) => `atomic_${operation}`,
    axis: (i) => `get_local_id(${i})`,
    block: 'get_group_id(0)',
  },
};

/** The text of a kernel, without what a mutation takes. */
export function emit(program: Program, name: string, language: Language, mutation?: Mutation): string {
  return new Emitter(program, WORDS[language], mutation).kernel(name);
}

class Emitter {
  readonly #program: Program;
  readonly #words: Words;
  readonly #mutation: Mutation | undefined;

  constructor(program: Program, words: Words, mutation: Mutation | undefined) {
    this.#program = program;
    this.#words = words;
    this.#mutation = mutation;
  }

  kernel(name: string): string {
    const { arrays, block, body } = this.#program;
    const { kernel, global, shared, types, axis, block: blockIndex } = this.#words;
    const parameters = arrays
      .filter(({ space }) => space !== 'shared')
      .map((one) => `${global}${one.space === 'input' ? 'const ' : ''}${types[one.element]} *${one.name}`);
    const locals = arrays
      .filter(({ space }) => space === 'shared')
      .map((one) => `  ${shared}${types[one.element]} ${one.name}[${one.length}];`);
    const [x, y] = block;
    return [
      `${kernel} ${name}(${parameters.join(', ')})`,
      '{',
      ...locals,
      `  unsigned t = ${axis(0)} + ${axis(1)} * ${x}u + ${axis(2)} * ${x * y}u;`,
      `  unsigned b = ${blockIndex}, g = b * ${threadsOf(this.#program)}u + t;`,
      ...this.#block(body, '  '),
      '}',
      '',
    ].join('\n');
  }

  #block(body: readonly Statement[], indent: string): string[] {
    return body.flatMap((statement) => this.#statement(statement, indent));
  }

  #statement(statement: Statement, indent: string): string[] {
    const taken = this.#mutation;
    const own = 'id' in statement && taken?.id === statement.id ? taken : undefined;
    const inner = `${indent}  `;
    switch (statement.is) {
      case 'declare':
        return [`${indent}unsigned ${statement.name} = ${this.#text(statement.value)};`];
      case 'set':
        return [`${indent}${statement.name} = ${this.#text(statement.value)};`];
      case 'store':
        return [
          `${indent}${this.#place(statement.array, statement.index)} = ${this.#stored(statement.array, statement.value)};`,
        ];
      case 'atomic': {
        const { array, index, operation, value } = statement;
        const place = this.#place(array, index);
        if (own?.take !== 'atomic')
          return [`${indent}${this.#words.atomic(operation)}(&${place}, ${this.#text(value)});`];
        return [`${indent}${place} = ${plain(operation, place, this.#text(value))};`];
      }
      case 'if':
        if (own?.take === 'guard') return this.#block(statement.then, indent);
        return [
          `${indent}if (${this.#condition(statement.when)}) {`,
          ...this.#block(statement.then, inner),
          `${indent}}`,
        ];
      case 'leave':
        return own?.take === 'guard' ? [] : [`${indent}if (${this.#condition(statement.when)}) return;`];
      case 'loop':
        return [
          `${indent}for (unsigned ${statement.name} = 0; ${statement.name} < ${this.#text(statement.count)}; ${statement.name}++) {`,
          ...this.#block(statement.body, inner),
          `${indent}}`,
        ];
      case 'rounds':
        return [
          `${indent}for (unsigned ${statement.name} = 0; ${statement.name} < ${statement.count}u; ${statement.name}++) {`,
          ...this.#block(statement.body, inner),
          `${indent}}`,
        ];
      case 'halves':
        return [
          `${indent}for (unsigned ${statement.name} = ${statement.from}u; ${statement.name} > 0u; ${statement.name} /= 2u) {`,
          ...this.#block(statement.body, inner),
          `${indent}}`,
        ];
      case 'barrier':
        if (own?.take === 'barrier') return [];
        if (own?.take === 'part-of-barrier') return [`${indent}if (t < ${own.below}u) ${this.#words.barrier}`];
        return [`${indent}${this.#words.barrier}`];
      case 'warp-barrier':
        return own?.take === 'barrier' ? [] : [`${indent}${this.#words.warpBarrier}`];
      case 'fence':
        return [`${indent}${this.#words.fence}`];
    }
  }

  #place(array: ArrayOf, index: Expression): string {
    return `${array.name}[${this.#text(index)}]`;
  }

  #stored({ element }: ArrayOf, value: Expression): string {
    const text = this.#text(value);
    if (element === 'f32') return `(float)(${text} & 16777215u)`;
    return element === 'u32' ? text : `(${this.#words.types[element]})${text}`;
  }

  #condition({ operator, left, right }: Condition): string {
    return `${this.#text(left)} ${operator} ${this.#text(right)}`;
  }

  #text(expression: Expression): string {
    switch (expression.is) {
      case 'constant':
        return `${expression.value}u`;
      case 'thread':
        return 't';
      case 'block':
        return 'b';
      case 'global':
        return 'g';
      case 'variable':
        return expression.name;
      case 'binary': {
        const [left, right] = [this.#text(expression.left), this.#text(expression.right)];
        const { operator } = expression;
        return operator === 'min' || operator === 'max'
          ? `${operator}(${left}, ${right})`
          : `(${left} ${operator} ${right})`;
      }
      case 'load': {
        const place = this.#place(expression.array, expression.index);
        return expression.array.element === 'u32' ? place : `(unsigned)${place}`;
      }
      case 'select':
        return `(${this.#condition(expression.when)} ? ${this.#text(expression.then)} : ${this.#text(expression.otherwise)})`;
    }
  }
}

function plain(operation: string, place: string, value: string): string {
  const signs: Readonly<Record<string, string>> = { add: '+', and: '&', or: '|', xor: '^' };
  const sign = signs[operation];
  return sign === undefined ? `${operation}(${place}, ${value})` : `${place} ${sign} ${value}`;
}
