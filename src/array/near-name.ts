/**
 * The known names that a name which is not known may stand for, nearest first: other case or underscores (`floor_divide`),
 * a few other letters (`arcsin` for `asin`), a longer or shorter form (`absolute` for `abs`).
 */
export function nearNames(name: string, known: Iterable<string>, most = 3): readonly string[] {
  const plain = fold(name);
  const limit = Math.floor(plain.length / 3);
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const other of known) {
    const folded = fold(other);
    const distance = editDistance(plain, folded, limit);
    if (distance <= limit) near.push({ name: other, distance });
    else if (isForm(plain, folded)) near.push({ name: other, distance: limit + 1 });
  }
  near.sort((a, b) => a.distance - b.distance);
  const isSame = near[0]?.distance === 0;
  return near
    .filter(({ distance }) => !isSame || distance === 0)
    .slice(0, most)
    .map((found) => found.name);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

function isForm(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a));
}

/** How many letters are to be added, left out, replaced or swapped with their neighbour; Infinity where it is clearly above a limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const cell = (i: number, j: number): number => table[i * width + j] as number;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      let best = i === 0 || j === 0 ? i + j : Infinity;
      if (i > 0 && j > 0) {
        const isSame = a[i - 1] === b[j - 1];
        best = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + (isSame ? 0 : 1));
        const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (isSwap) best = Math.min(best, cell(i - 2, j - 2) + 1);
      }
      table[i * width + j] = best;
    }
  }
  return cell(a.length, b.length);
}
