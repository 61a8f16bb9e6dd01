import { at, kernelCase, range, type Case } from '../case.ts';

/** Graphs, games and searches. */
export const graphCases: readonly Case[] = [
  kernelCase({
    name: 'breadth-first-search',
    source: `
      // A level a launch: the vertices of the frontier put their new neighbours into the next one.
      __device__ int sizes[64];
      __global__ void start(int *level, int *frontier, int from)
      {
        level[from] = 0;
        frontier[0] = from;
        for (int i = 0; i < 64; i++) sizes[i] = i == 0;
      }
      __global__ void expand(const int *first, const int *next, int *level, const int *frontier, int *after, int depth)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        if (t >= sizes[depth]) return;
        int v = frontier[t];
        for (int e = first[v]; e < first[v + 1]; e++)
          if (atomicCAS(&level[next[e]], -1, depth + 1) == -1) after[atomicAdd(&sizes[depth + 1], 1)] = next[e];
      }`,
    buffers: (random) => {
      const lists = range(200, () => range(random.integer(0, 4), () => random.integer(0, 200)));
      let total = 0;
      const first = [0, ...lists.map((list) => (total += list.length))];
      return {
        first: Int32Array.from(first),
        next: Int32Array.from([...lists.flat(), 0]),
        level: new Int32Array(200).fill(-1),
        a: new Int32Array(200),
        b: new Int32Array(200),
      };
    },
    launches: ({ first, next, level, a, b }) => [
      { kernel: 'start', args: [level, a, 7], block: 1 },
      ...range(40, (depth) => ({
        kernel: 'expand',
        args: [first, next, level, ...(depth % 2 === 0 ? [a, b] : [b, a]), depth],
        block: 64,
        grid: 4,
      })),
    ],
    expected: ({ first, next }) => {
      const level = range(200, () => -1);
      const queue = [7];
      level[7] = 0;
      for (const v of queue) {
        for (const w of next.subarray(at(first, v), at(first, v + 1))) {
          if (level[w] !== -1) continue;
          level[w] = at(level, v) + 1;
          queue.push(w);
        }
      }
      return { level };
    },
  }),

  kernelCase({
    name: 'minimax',
    source: `
      // Noughts and crosses, played to the end from each position; a board is two sets of nine bits.
      __device__ bool wins(unsigned set)
      {
        const unsigned lines[] = { 0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124 };
        for (unsigned line : lines) if ((set & line) == line) return true;
        return false;
      }
      __device__ int value(unsigned mine, unsigned other, int &visited)
      {
        visited++;
        if (wins(other)) return -1;
        if ((mine | other) == 0777) return 0;
        int best = -1;
        for (int cell = 0; cell < 9; cell++) {
          unsigned move = 1u << cell;
          if ((mine | other) & move) continue;
          best = max(best, -value(other, mine | move, visited));
        }
        return best;
      }
      __global__ void judge(int *values, int *visits)
      {
        int first = threadIdx.x / 9, second = threadIdx.x % 9, visited = 0;
        values[threadIdx.x] = first == second ? 9 : value(1u << first, 1u << second, visited);
        visits[threadIdx.x] = visited;
      }`,
    buffers: () => ({ values: new Int32Array(81), visits: new Int32Array(81) }),
    launches: ({ values, visits }) => [{ kernel: 'judge', args: [values, visits], block: 81 }],
    expected: () => {
      const lines = ['012', '345', '678', '036', '147', '258', '048', '246'];
      const wins = (board: string, who: string): boolean =>
        lines.some((line) => Array.from(line).every((cell) => board[Number(cell)] === who));
      const known = new Map<string, readonly [value: number, visits: number]>();
      // The board as a text of nine letters; x is to move.
      const judge = (board: string): readonly [number, number] => {
        const seen = known.get(board);
        if (seen) return seen;
        const swapped = Array.from(board, (c) => (c === 'x' ? 'o' : c === 'o' ? 'x' : c));
        const moves = range(9).filter((cell) => board[cell] === '.');
        const over = wins(board, 'o') || moves.length === 0;
        const after = over ? [] : moves.map((cell) => judge(swapped.with(cell, 'o').join('')));
        const value = wins(board, 'o') ? -1 : over ? 0 : Math.max(...after.map(([v]) => -v));
        const result = [value, after.reduce((total, [, visits]) => total + visits, 1)] as const;
        known.set(board, result);
        return result;
      };
      const results = range(81, (t) => {
        const [first, second] = [Math.floor(t / 9), t % 9];
        if (first === second) return [9, 0] as const;
        return judge(range(9, (c) => (c === first ? 'x' : c === second ? 'o' : '.')).join(''));
      });
      return { values: results.map(([v]) => v), visits: results.map(([, n]) => n) };
    },
  }),

  kernelCase({
    name: 'n-queens',
    source: `
      __device__ int place(unsigned columns, unsigned left, unsigned right, unsigned all)
      {
        if (columns == all) return 1;
        int ways = 0;
        for (unsigned free = all & ~(columns | left | right); free;) {
          unsigned bit = free & -free;
          free ^= bit;
          ways += place(columns | bit, (left | bit) << 1, (right | bit) >> 1, all);
        }
        return ways;
      }
      __global__ void queens(int n, int *total)
      {
        unsigned bit = 1u << threadIdx.x;
        atomicAdd(total + n, place(bit, bit << 1, bit >> 1, (1u << n) - 1));
      }`,
    buffers: () => ({ total: new Int32Array(9) }),
    launches: ({ total }) => range(8, (k) => ({ kernel: 'queens', args: [k + 1, total], block: k + 1 })),
    expected: () => ({ total: [0, 1, 0, 0, 2, 10, 4, 40, 92] }),
  }),

  kernelCase({
    name: 'knapsack',
    source: `
      // Dynamic programming: a row of the table at a time, in one block.
      __global__ void knapsack(const int *weight, const int *worth, int items, int capacity, int *best)
      {
        extern __shared__ int row[];
        int c = threadIdx.x;
        row[c] = 0;
        __syncthreads();
        for (int i = 0; i < items; i++) {
          int with = c >= weight[i] ? row[c - weight[i]] + worth[i] : 0;
          __syncthreads();
          row[c] = max(row[c], with);
          __syncthreads();
        }
        best[c] = row[c];
      }`,
    buffers: (random) => ({
      weight: random.ints(14, 1, 30),
      worth: random.ints(14, 1, 100),
      best: new Int32Array(101),
    }),
    launches: ({ weight, worth, best }) => [
      { kernel: 'knapsack', args: [weight, worth, 14, 100, best], block: 101, shared: 404 },
    ],
    // All subsets.
    expected: ({ weight, worth }) => {
      const best = range(101, () => 0);
      for (let set = 0; set < 2 ** 14; set++) {
        const members = range(14).filter((i) => (set >> i) & 1);
        const load = members.reduce((total, i) => total + at(weight, i), 0);
        if (load > 100) continue;
        best[load] = Math.max(
          at(best, load),
          members.reduce((total, i) => total + at(worth, i), 0),
        );
      }
      return { best: best.map((_, c) => Math.max(...best.slice(0, c + 1))) };
    },
  }),

  kernelCase({
    name: 'page-rank',
    source: `
      __global__ void spread(const int *target, const float *rank, float *next, int n, int degree)
      {
        int v = blockIdx.x * blockDim.x + threadIdx.x;
        if (v >= n) return;
        for (int e = 0; e < degree; e++) atomicAdd(&next[target[v * degree + e]], 0.85f * rank[v] / degree);
      }
      __global__ void settle(float *rank, float *next, int n)
      {
        int v = blockIdx.x * blockDim.x + threadIdx.x;
        if (v >= n) return;
        rank[v] = next[v] + 0.15f / n;
        next[v] = 0;
      }`,
    buffers: (random) => ({
      target: random.ints(300, 0, 100),
      rank: new Float32Array(100).fill(0.01),
      next: new Float32Array(100),
    }),
    launches: ({ target, rank, next }) =>
      range(12, () => [
        { kernel: 'spread', args: [target, rank, next, 100, 3], block: 32, grid: 4 },
        { kernel: 'settle', args: [rank, next, 100], block: 32, grid: 4 },
      ]).flat(),
    expected: ({ target }) => {
      let rank = range(100, () => 0.01);
      for (let round = 0; round < 12; round++) {
        const next = range(100, () => 0.0015);
        target.forEach((v, e) => (next[v] = at(next, v) + (0.85 * at(rank, Math.floor(e / 3))) / 3));
        rank = next;
      }
      return { rank };
    },
    tolerance: { relative: 1e-4 },
  }),
];
