import { Prefix } from './stack-effect.ts';
import type { Instruction } from './instruction.ts';

/** What becomes of an instruction that computes a part of an address. */
export const Form = {
  /** It stays. */
  SAME: 0,
  /** It stays, and its result is cut to 32 bits. */
  CUT: 1,
  /** The same with 32 bits. */
  NARROW: 2,
  /** It goes. */
  GONE: 3,
} as const;
export type Form = (typeof Form)[keyof typeof Form];

/** An instruction whose result may be an address. */
export class Value {
  readonly start: number;
  readonly end: number;
  readonly opcode: number;
  readonly constant: number;
  readonly left: Value | undefined;
  readonly right: Value | undefined;
  form: Form = Form.SAME;

  constructor(start: number, end: number, opcode: number, constant: number, left?: Value, right?: Value) {
    this.start = start;
    this.end = end;
    this.opcode = opcode;
    this.constant = constant;
    this.left = left;
    this.right = right;
  }

  /**
   * Compute the lower half of this value only. Engines wrap a sum of 64 bits with one more instruction; a sum of two
   * wrapped terms needs none, and terms that stay the same in a loop are wrapped before it.
   */
  narrow(): void {
    const { opcode, left, right } = this;
    if (opcode === I64_CONST) this.form = Number.isSafeInteger(this.constant) ? Form.NARROW : Form.CUT;
    else if (opcode === I64_EXTEND_I32_S || opcode === I64_EXTEND_I32_U) this.form = Form.GONE;
    else if (opcode === SELECT && left && right) {
      left.narrow();
      right.narrow();
    } else if (left && right && (LOW_HALVES.has(opcode) || (opcode === I64_SHL && isShift(right)))) {
      this.form = Form.NARROW;
      left.narrow();
      right.narrow();
    } else this.form = Form.CUT;
  }

  /**
   * Leave the addition of a constant to the access that has this address.
   *
   * @param most - the largest constant that may be left to it
   * @returns the constant; 0 if none is added
   */
  leaveOffset(most: number): number {
    const { right } = this;
    if (this.opcode !== I64_ADD || right?.opcode !== I64_CONST || right.constant < 0 || right.constant > most) return 0;
    this.form = Form.GONE;
    right.form = Form.GONE;
    return right.constant;
  }
}

const SELECT = 0x1b;
const LOCAL_GET = 0x20;
const LOCAL_TEE = 0x22;
const GLOBAL_GET = 0x23;
const I64_CONST = 0x42;
const I64_ADD = 0x7c;
const I64_SHL = 0x86;
const I64_EXTEND_I32_S = 0xac;
const I64_EXTEND_I32_U = 0xad;
/** Addition, subtraction, product, and, or, exclusive or: the lower half of the result needs only lower halves. */
const LOW_HALVES = new Set([I64_ADD, 0x7d, 0x7e, 0x83, 0x84, 0x85]);
/** From an instruction of 64 bits to the same of 32. */
export const TO_32_BITS: number = 0x6a - I64_ADD;

/** Loads and operations whose results have 64 bits. */
const LONG = new Set([
  ...[LOCAL_GET, LOCAL_TEE, GLOBAL_GET, SELECT, I64_CONST, I64_EXTEND_I32_S, I64_EXTEND_I32_U],
  ...[0x29, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35],
  ...Array.from({ length: 0x8a - 0x79 + 1 }, (_, i) => 0x79 + i),
]);

const isShift = ({ opcode, constant }: Value): boolean => opcode === I64_CONST && constant >= 0 && constant < 32;

/** The values on the stack, as far as straight-line code tells them. */
export class AddressTrees {
  readonly #stack: (Value | undefined)[] = [];

  clear(): void {
    this.#stack.length = 0;
  }

  /** The value that an instruction takes first, of those that it takes; undefined where it is not known. */
  operand(takes: number): Value | undefined {
    return this.#stack[this.#stack.length - takes];
  }

  /**
   * Note an instruction.
   *
   * @param opcode - the opcode, or its first byte
   * @param constant - the number in it
   * @returns its result, if that may be an address
   */
  note({ effect }: Instruction, opcode: number, constant: number, start: number, end: number): Value | undefined {
    const stack = this.#stack;
    if (!effect) {
      stack.length = 0;
      return undefined;
    }
    const { takes, gives } = effect;
    const first = stack.length - takes;
    const left = stack[first];
    const right = stack[first + 1];
    stack.length = Math.max(0, first);
    if (gives === 0) return undefined;
    const value =
      opcode < Prefix.BULK && LONG.has(opcode) ? new Value(start, end, opcode, constant, left, right) : undefined;
    stack.push(value);
    return value;
  }
}
