/** A generator of the same numbers 0 … 1 in every run. */
export function randomOf(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where tests look: `count` numbers of an interval, half of them even, a quarter near its quarters, a quarter by size. */
export function pointsIn(low: number, high: number, count: number, single: boolean, seed = 1): number[] {
  const random = randomOf(seed);
  const found: number[] = [];
  const take = (x: number): void => {
    const y = single ? Math.fround(x) : x;
    if (y >= low && y <= high && y !== 0 && Number.isFinite(y)) found.push(y);
  };
  const [least, most] = single ? [-149, 127] : [-1074, 1023];
  [low, high, 1, -1, 2 ** least, -(2 ** least), 2 ** (single ? -126 : -1022), 0.5, 1.5, 2, 3].forEach(take);
  [1 + 2 ** -23, 1 - 2 ** -24, 1 + 2 ** -52, 1 - 2 ** -53, 2 ** most * 1.75, -(2 ** most)].forEach(take);
  for (let i = 0; i < count; i++) {
    const even = Math.max(low, -(2 ** 60)) + (Math.min(high, 2 ** 60) - Math.max(low, -(2 ** 60))) * random();
    const kind = i % 4;
    if (kind < 2) take(even);
    else if (kind === 2)
      take((Math.round(4 * even) / 4) * (1 + (random() - 0.5) * 2 ** -Math.floor(10 + 40 * random())));
    else take((random() < 0.5 ? -1 : 1) * (1 + random()) * 2 ** (least + (most - least) * random()));
    if (kind === 3) take((random() < 0.5 ? -1 : 1) * 2 ** (12 * random() - 8));
  }
  return found;
}
