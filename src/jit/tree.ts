import type { ArrayType, KernelType, StructType, TupleType } from './kernel-type.ts';

/** A place in the text of a function: characters from its beginning. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A variable of a kernel: a parameter, or what the body declares. */
export interface Variable {
  readonly name: string;
  /** The name in the text that is made, which no other variable of the function has. */
  readonly text: string;
  type: KernelType;
  /** Whether it is assigned after its declaration. */
  isAssigned: boolean;
  /** Whether the elements of an array are written. */
  isWritten: boolean;
  /** Declared by `var`, or made by the reader: it lives as long as the function. */
  readonly isHoisted: boolean;
  /** Whether the reader has made it, so that it has no name in the function's text. */
  readonly isMade?: boolean;
  /** What an array variable stands for, where it is another array or a part of one. */
  alias?: Expression;
  /** Of an array in a stencil: where the element is, and how far from it elements are read along each axis. */
  relative?: Relative;
  /** Whether a launch gives it: of an object or a list that is a copy. */
  readonly isArgument?: boolean;
  /** Whether it is declared as a list, and whether an index of that varies: then it is an array of the thread. */
  isList?: boolean;
  isIndexed?: boolean;
  /** Whether it is never negative. */
  isNatural?: boolean;
  /** Constants of a `constant` array, row by row. */
  values?: readonly (number | bigint)[];
  /** The lengths of an array that has them at compile time. */
  shape?: readonly number[];
  readonly span: Span;
}

/** Indices that count from the element that is computed. */
export interface Relative {
  readonly positions: readonly Variable[];
  readonly reach: [least: number, most: number][];
  /** Whether the reach is given, so that indices may vary. */
  readonly isGiven: boolean;
}

interface Node extends Span {
  readonly type: KernelType;
}

export interface Constant extends Node {
  readonly kind: 'constant';
  readonly value: number | bigint | boolean;
}

export interface VariableUse extends Node {
  readonly kind: 'variable';
  readonly variable: Variable;
}

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: '-' | '!' | '~';
  readonly operand: Expression;
}

export type BinaryOperator =
  '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '&&' | '||';

/** Both operands have one type; the right one of a shift is `i32`. */
export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  /** Whether integers wrap around: their result was asked for with `| 0` or `>>> 0`. */
  readonly wraps: boolean;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Conversion extends Node {
  readonly kind: 'conversion';
  readonly operand: Expression;
}

export type Target = VariableUse | ElementUse | FieldUse;

export interface Assignment extends Node {
  readonly kind: 'assignment';
  readonly target: Target;
  readonly value: Expression;
}

/** `i++`, `--i`. */
export interface Update extends Node {
  readonly kind: 'update';
  readonly operator: '++' | '--';
  readonly isPrefix: boolean;
  readonly target: Target;
}

export interface Conditional extends Node {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface Sequence extends Node {
  readonly kind: 'sequence';
  readonly items: readonly Expression[];
}

/** One element: as many indices as the array has axes. */
export interface ElementUse extends Node {
  readonly kind: 'element';
  readonly array: Expression;
  readonly indices: readonly Expression[];
}

/** A part of an array: fewer indices than axes. */
export interface View extends Node {
  readonly kind: 'view';
  readonly type: ArrayType;
  readonly array: Expression;
  readonly indices: readonly Expression[];
}

export interface Extent extends Node {
  readonly kind: 'extent';
  readonly array: Expression;
  /** The axis, or all elements. */
  readonly axis: number | 'size';
}

export interface FieldUse extends Node {
  readonly kind: 'field';
  readonly object: Expression;
  /** The name, or the position in a tuple. */
  readonly name: string;
}

export interface Aggregate extends Node {
  readonly kind: 'aggregate';
  readonly type: TupleType | StructType;
  readonly items: readonly Expression[];
}

/** What C and JavaScript write for an operation. */
export interface Operation {
  readonly name: string;
  /** Its text in each language, from those of its arguments. */
  readonly cuda: OperationText;
  /** Undefined where OpenCL C has no such function. */
  readonly opencl?: OperationText | undefined;
  readonly js: OperationText;
  /** Whether other threads are waited for, or the order of calls matters otherwise. */
  readonly effect?: 'none' | 'memory' | 'barrier';
  /** Whether JavaScript's text takes the place of the call as a last argument: for errors, and for what waits. */
  readonly isChecked?: boolean;
}

/** @param type - of the result */
export type OperationText = (args: readonly string[], type: KernelType, types: readonly KernelType[]) => string;

export interface Call extends Node {
  readonly kind: 'call';
  readonly operation: Operation;
  readonly args: readonly Expression[];
}

/** The address of an element, or of a field of one, for an atomic operation. */
export interface Address extends Node {
  readonly kind: 'address';
  readonly element: ElementUse | FieldUse;
}

export interface DeviceCall extends Node {
  readonly kind: 'device call';
  readonly callee: FunctionTree;
  readonly args: readonly Expression[];
}

/** `console.log`: texts and values in turn. */
export interface Print extends Node {
  readonly kind: 'print';
  readonly parts: readonly (string | Expression)[];
}

export type Expression =
  | Constant
  | VariableUse
  | Unary
  | Binary
  | Conversion
  | Assignment
  | Update
  | Conditional
  | Sequence
  | ElementUse
  | View
  | Extent
  | FieldUse
  | Aggregate
  | Call
  | Address
  | DeviceCall
  | Print;

export interface Declaration extends Span {
  readonly kind: 'declaration';
  readonly variable: Variable;
  readonly value: Expression | undefined;
}

export interface ExpressionStatement extends Span {
  readonly kind: 'expression';
  readonly expression: Expression;
}

export interface If extends Span {
  readonly kind: 'if';
  readonly test: Expression;
  readonly then: Statement;
  readonly otherwise: Statement | undefined;
}

/** `for`, and `while` where it has a test alone. */
export interface Loop extends Span {
  readonly kind: 'loop';
  readonly init: readonly Statement[];
  readonly test: Expression | undefined;
  readonly update: Expression | undefined;
  readonly body: Statement;
  /** Whether the body comes before the first test. */
  readonly isPostTested: boolean;
  readonly label?: Label | undefined;
}

/** What jumps out of several loops name. */
export interface Label {
  readonly name: string;
  /** The name in the text that is made. */
  readonly text: string;
  /** Whether a jump leaves what it stands before, and whether one goes on with the next round. */
  isBroken: boolean;
  isContinued: boolean;
}

/** What has a label and is no loop. */
export interface Labelled extends Span {
  readonly kind: 'labelled';
  readonly label: Label;
  readonly body: Statement;
}

/** Values are integers that are known, each there once. */
export interface Switch extends Span {
  readonly kind: 'switch';
  readonly value: Expression;
  readonly cases: readonly SwitchCase[];
}

/** A case goes on in the next one where nothing leaves it. */
export interface SwitchCase extends Span {
  /** Undefined for the default, and for a case whose value another one has had. */
  readonly value: number | bigint | undefined;
  readonly isDefault: boolean;
  readonly body: readonly Statement[];
}

export interface Block extends Span {
  readonly kind: 'block';
  readonly body: readonly Statement[];
}

export interface Return extends Span {
  readonly kind: 'return';
  readonly value: Expression | undefined;
}

export interface Jump extends Span {
  readonly kind: 'break' | 'continue';
  readonly label?: Label | undefined;
}

export type Statement = Declaration | ExpressionStatement | If | Loop | Switch | Labelled | Block | Return | Jump;

/** A function with the types of one call. */
export interface FunctionTree {
  readonly name: string;
  readonly parameters: readonly Variable[];
  readonly result: KernelType;
  readonly body: readonly Statement[];
  /** All that the body declares. */
  readonly variables: readonly Variable[];
  /** Functions that it calls, each once, the called before the calling. */
  readonly callees: readonly FunctionTree[];
  /** Arrays of constants that it reads. */
  readonly constants: readonly Variable[];
  readonly origin: Origin;
}

/** A place in a file. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
  /** The whole line. */
  readonly text: string;
}

/** Where the text of a function is from. */
export interface Origin {
  readonly text: string;
  /** The place of a character of the text in the file that its author wrote; undefined where it is not known. */
  readonly locate?: ((offset: number) => Place | undefined) | undefined;
}
