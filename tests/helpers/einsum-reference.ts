/** Numbers in row-major order, with their shape. */
export interface Elements {
  readonly shape: readonly number[];
  readonly elements: readonly number[];
}

/** What Einstein's notation says, by a loop over all indices. It knows no dots. */
export function summed(subscripts: string, arrays: readonly Elements[]): { shape: number[]; elements: number[] } {
  const [left = '', right] = subscripts.replaceAll(' ', '').split('->');
  const inputs = left.split(',');
  const all = [...new Set(inputs.flatMap(lettersOf))];
  const output = right ?? implied(inputs.join(''));
  const lengths = new Map<string, number>();
  for (const [i, letters] of inputs.entries()) {
    for (const [axis, letter] of lettersOf(letters).entries()) {
      lengths.set(letter, Math.max(lengths.get(letter) ?? 0, (arrays[i] as Elements).shape[axis] as number));
      if ((arrays[i] as Elements).shape[axis] === 0) lengths.set(letter, 0);
    }
  }
  const lengthOf = (letter: string): number => lengths.get(letter) as number;
  const shape = lettersOf(output).map(lengthOf);
  const elements = new Array<number>(shape.reduce((size, length) => size * length, 1)).fill(0);
  const index = new Map<string, number>();
  const place = (letters: string, of: readonly number[]): number =>
    lettersOf(letters).reduce((at, letter, axis) => {
      const length = of[axis] as number;
      return at * length + (length === 1 ? 0 : (index.get(letter) as number));
    }, 0);
  const visit = (depth: number): void => {
    const letter = all[depth];
    if (letter === undefined) {
      const product = arrays.reduce((value, array, i) => {
        return value * (array.elements[place(inputs[i] as string, array.shape)] as number);
      }, 1);
      elements[place(output, shape)] = (elements[place(output, shape)] as number) + product;
      return;
    }
    for (let i = 0; i < lengthOf(letter); i++) {
      index.set(letter, i);
      visit(depth + 1);
    }
  };
  visit(0);
  return { shape, elements };
}

function implied(letters: string): string {
  return [...new Set(lettersOf(letters))]
    .filter((letter) => letters.split(letter).length === 2)
    .sort()
    .join('');
}

function lettersOf(text: string): string[] {
  return Array.from({ length: text.length }, (_, i) => text.charAt(i));
}
