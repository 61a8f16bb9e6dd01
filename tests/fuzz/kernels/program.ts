/** What an array holds; each value is a small whole number, so that all of them hold it exactly. */
export type Element = 'u32' | 'u16' | 'u8' | 'u64' | 'f32' | 'f64';

/** Where an array is, and who sees it. */
export type Space =
  /** Global memory that nobody writes. */
  | 'input'
  /** Global memory, of which each block has a slice of as many elements as it has threads. */
  | 'slice'
  /** Global memory to which all blocks add by atomics. */
  | 'counter'
  /** Shared memory of a block. */
  | 'shared';

export interface ArrayOf {
  readonly name: string;
  readonly space: Space;
  readonly element: Element;
  readonly length: number;
  /** Nobody has written it before the launch. */
  readonly fresh: boolean;
}

/** A number of 32 bits without sign. */
export type Expression =
  | { readonly is: 'constant'; readonly value: number }
  /** The thread in its block, the block, the thread in the grid, how many threads a block has. */
  | { readonly is: 'thread' | 'block' | 'global' }
  /** A variable of the thread, or the counter of a loop. */
  | { readonly is: 'variable'; readonly name: string }
  | { readonly is: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly is: 'load'; readonly array: ArrayOf; readonly index: Expression }
  | { readonly is: 'select'; readonly when: Condition; readonly then: Expression; readonly otherwise: Expression };

export type Operator = '+' | '-' | '*' | '&' | '|' | '^' | '%' | '/' | '<<' | '>>' | 'min' | 'max';

export interface Condition {
  readonly operator: '<' | '<=' | '==' | '!=';
  readonly left: Expression;
  readonly right: Expression;
}

export type AtomicOperation = 'add' | 'min' | 'max' | 'and' | 'or' | 'xor';

export type Statement =
  | { readonly is: 'declare' | 'set'; readonly name: string; readonly value: Expression }
  | {
      readonly is: 'store';
      readonly array: ArrayOf;
      readonly index: Expression;
      readonly value: Expression;
      /** The value depends on nothing that a kernel writes. */
      readonly known: boolean;
    }
  | {
      readonly is: 'atomic';
      readonly id: number;
      readonly operation: AtomicOperation;
      readonly array: ArrayOf;
      readonly index: Expression;
      readonly value: Expression;
    }
  /** A guard, which keeps some threads from what they must not do. */
  | { readonly is: 'if'; readonly id: number; readonly when: Condition; readonly then: readonly Statement[] }
  /** As often as `count` says, which differs among threads. */
  | { readonly is: 'loop'; readonly name: string; readonly count: Expression; readonly body: readonly Statement[] }
  /** As often for each thread of a block; with barriers. */
  | { readonly is: 'rounds'; readonly name: string; readonly count: number; readonly body: readonly Statement[] }
  /** For a distance of `from`, half of it, … 1; with barriers. */
  | { readonly is: 'halves'; readonly name: string; readonly from: number; readonly body: readonly Statement[] }
  | { readonly is: 'barrier' | 'warp-barrier'; readonly id: number }
  | { readonly is: 'fence' }
  /** Threads that end here. */
  | { readonly is: 'leave'; readonly id: number; readonly when: Condition };

/** What is taken from a right kernel. */
export type Mutation =
  | { readonly take: 'barrier' | 'guard' | 'atomic'; readonly id: number }
  /** Only threads below `below` reach the barrier. */
  | { readonly take: 'part-of-barrier'; readonly id: number; readonly below: number };

/** A kernel, and how it is launched. */
export interface Program {
  readonly name: string;
  readonly block: readonly [number, number, number];
  readonly grid: number;
  readonly arrays: readonly ArrayOf[];
  readonly body: readonly Statement[];
  /** What the arrays of global memory hold at the start, those that are fresh apart. */
  readonly contents: Readonly<Record<string, readonly number[]>>;
}

/** Threads of a warp, and of a sub-group. */
export const WARP = 32;

export function threadsOf({ block: [x, y, z] }: Program): number {
  return x * y * z;
}

/** Bytes of an element. */
export const BYTES: Readonly<Record<Element, number>> = { u8: 1, u16: 2, u32: 4, f32: 4, u64: 8, f64: 8 };

/** The bits of a value that an element keeps. */
export function kept(element: Element, value: number): number {
  switch (element) {
    case 'u8':
      return value & 0xff;
    case 'u16':
      return value & 0xffff;
    case 'f32':
      return value & 0xff_ffff;
    case 'u32':
    case 'u64':
    case 'f64':
      return value >>> 0;
  }
}
