import { conversion } from '../kernel/conversion.ts';
import { registerType } from '../kernel/dialect.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Node } from './node.ts';

/**
 * The C text of expressions over the names `x0`, `x1` … of elements and `s0`, `s1` … of numbers: a line for each operation.
 * An operation that stands in an expression several times is computed once.
 *
 * Compilers may make one operation of a product and a sum, which rounds once where two kernels round twice: an expression may
 * differ in its last bits from the same operations one by one, on GPUs. It is never less exact and needs no more time. Functions
 * whose results depend on a product of its own use `rounded_mul`.
 */
export class BodyText {
  readonly #lines: string[] = [];
  readonly #names = new Map<Node, string>();
  #hasPlace = false;

  /** Whether the lines read `place`, the place of the element in row-major order. */
  get hasPlace(): boolean {
    return this.#hasPlace;
  }

  /** The lines, in order. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The name of what a node computes. */
  name(node: Node): string {
    const known = this.#names.get(node);
    if (known !== undefined) return known;
    const name = this.#make(node);
    this.#names.set(node, name);
    return name;
  }

  /** The name of what a node computes, in another dtype. */
  converted(node: Node, to: ArrayDType): string {
    const name = this.name(node);
    const text = conversion(name, node.dtype, to);
    return text === name ? name : this.#line(to, text);
  }

  #make(node: Node): string {
    if (node.kind === 'input') return `x${node.index}`;
    if (node.kind === 'scalar') return `s${node.index}`;
    if (node.kind === 'index') {
      this.#hasPlace = true;
      return this.#line(node.dtype, `(${node.dtype})place`);
    }
    const { operation, operands, typing } = node;
    const names = operands.map((operand, i) => this.converted(operand, typing.operands[i] ?? operand.dtype));
    const first = registerType(typing.operands[0] ?? node.dtype) as ArrayDType;
    return this.#line(node.dtype, operation.text(names, first, typing.operands));
  }

  #line(dtype: ArrayDType, text: string): string {
    const name = `t${this.#lines.length}`;
    const plain = /^\((.*)\)$/.exec(text)?.[1];
    // Without the parentheses around the whole: `(a + b)`, not `(a) + (b)`.
    const isWhole = plain !== undefined && !/^[^(]*\)/.test(plain) && balanced(plain);
    this.#lines.push(`const ${registerType(dtype)} ${name} = ${isWhole ? plain : text};`);
    return name;
  }
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')' && --depth < 0) return false;
  }
  return depth === 0;
}
