/** An operand of an instruction. */
export type PtxOperand =
  /** `%0` of the statement; `component` for `.x`. */
  | { readonly kind: 'argument'; readonly index: number; readonly component?: string }
  /** A register, a special register or a label: `t`, `%tid.x`. */
  | { readonly kind: 'name'; readonly name: string; readonly component?: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  /** A floating-point number by its bits. */
  | { readonly kind: 'float'; readonly bits: bigint; readonly width: 32 | 64 }
  | { readonly kind: 'address'; readonly base: PtxOperand; readonly offset: bigint }
  | { readonly kind: 'vector'; readonly parts: readonly PtxOperand[] }
  /** `p|q` */
  | { readonly kind: 'pair'; readonly first: PtxOperand; readonly second: PtxOperand }
  /** `!p` */
  | { readonly kind: 'not'; readonly of: PtxOperand }
  | { readonly kind: 'nothing' };

/** `@!p` before an instruction. */
export interface Guard {
  readonly predicate: PtxOperand;
  readonly negated: boolean;
}

/** An instruction: `shfl.sync.up.b32` has the parts shfl, sync, up, b32. */
export interface PtxInstruction {
  readonly kind: 'instruction';
  readonly opcode: readonly string[];
  readonly operands: readonly PtxOperand[];
  readonly guard: Guard | undefined;
}

/** A line of a template. */
export type PtxStatement =
  | PtxInstruction
  | { readonly kind: 'registers'; readonly type: string; readonly names: readonly string[] }
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'block'; readonly body: readonly PtxStatement[] };
