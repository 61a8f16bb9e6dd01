/** A module's numbered metadata, as far as it says something of kernels. */
export class Metadata {
  readonly #nodes = new Map<number, string>();

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const match = line.startsWith('!') ? /^!(\d+) = (?:distinct )?!(.*)$/.exec(line) : undefined;
      if (match) this.#nodes.set(Number(match[1]), match[2] ?? '');
    }
  }

  /** The texts in a node: `!{!"none", !"read_only"}`. */
  texts(node: number | undefined): string[] {
    return [...this.#text(node).matchAll(/!"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
  }

  /** The integers in a node: `!{i32 1, i32 0}`. */
  numbers(node: number | undefined): number[] {
    return [...this.#text(node).matchAll(/\bi\d+ (-?\d+)/g)].map(([, text]) => Number(text));
  }

  /** The type of a node's first operand: `!{<4 x float> poison, i32 0}`. */
  type(node: number | undefined): string | undefined {
    return /^\{(<\d+ x \w+>|\w+) (?:undef|poison)/.exec(this.#text(node))?.[1];
  }

  /** The line that a description of a function gives. */
  line(node: number | undefined): number {
    return Number(/\bline: (\d+)/.exec(this.#text(node))?.[1] ?? 0);
  }

  #text(node: number | undefined): string {
    return node === undefined ? '' : (this.#nodes.get(node) ?? '');
  }
}
