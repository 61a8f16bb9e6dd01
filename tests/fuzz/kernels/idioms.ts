import type { Random } from '../random.ts';
import { binary, compare, constant, load, select, thread, variable } from './build.ts';
import type { Expressions } from './expressions.ts';
import type { Arrays, Held } from './held.ts';
import { WARP, type Condition, type Expression, type Statement } from './program.ts';

/** What an idiom is made with. */
export interface Making {
  readonly random: Random;
  readonly threads: number;
  readonly arrays: Arrays;
  readonly expressions: Expressions;
  newName(): string;
  /** Something becomes a part of what the thread writes down at the end. */
  keep(value: Expression): Statement;
  barrier(inWarp?: boolean): Statement;
  guard(when: Condition, then: readonly Statement[]): Statement;
}

/** What people write with barriers; undefined where the kernel has no array for it. Barriers stand before and behind. */
export const IDIOMS: readonly ((making: Making) => Statement[] | undefined)[] = [tree, scan, halo, warpTurn, warpTree];

/** A shared array with a value for each thread. */
function whole({ arrays, random }: Making): Held | undefined {
  const found = arrays.of('shared').filter(({ covers, ready, spoilt }) => covers && ready && !spoilt);
  return found.length === 0 ? undefined : random.pick(found);
}

function add({ array }: Held, to: Expression, from: Expression): Statement {
  const value = binary(load(array, to), '+', load(array, from));
  return { is: 'store', array, index: to, value, known: false };
}

/** Sums of halves, quarters … */
function tree(making: Making): Statement[] | undefined {
  const held = whole(making);
  if (!held) return undefined;
  const name = making.newName();
  const from = 2 ** Math.floor(Math.log2(making.threads) - 1);
  const step = making.guard(compare(thread, '<', variable(name)), [
    add(held, thread, binary(thread, '+', variable(name))),
  ]);
  return [{ is: 'halves', name, from, body: [step, making.barrier()] }];
}

/** Each one gets the sum of all before it. */
function scan(making: Making): Statement[] | undefined {
  const held = whole(making);
  if (!held) return undefined;
  const name = making.newName();
  const far = binary(constant(1), '<<', variable(name));
  const before = load(held.array, binary(thread, '-', far));
  const count = Math.ceil(Math.log2(making.threads));
  const sum = making.newName();
  const own = binary(load(held.array, thread), '+', variable(sum));
  return [
    {
      is: 'rounds',
      name,
      count,
      body: [
        { is: 'declare', name: sum, value: select(compare(far, '<=', thread), before, constant(0)) },
        making.barrier(),
        { is: 'store', array: held.array, index: thread, value: own, known: false },
        making.barrier(),
      ],
    },
  ];
}

/** A tile with a border: the threads at its ends load one element more. */
function halo(making: Making): Statement[] | undefined {
  const { arrays, expressions, threads } = making;
  if (arrays.of('shared').length > 3) return undefined;
  const { array } = arrays.add('shared', 'u32', threads + 2, true);
  const held = arrays.all.at(-1) as Held;
  held.spoilt = true;
  const store = (index: Expression): Statement => {
    return { is: 'store', array, index, value: expressions.make(2, []), known: true };
  };
  const around = [0, 1, 2].map((by) => load(array, binary(thread, '+', by)));
  const [left, middle, right] = around as [Expression, Expression, Expression];
  return [
    store(binary(thread, '+', 1)),
    making.guard(compare(thread, '==', 0), [store(constant(0))]),
    making.guard(compare(thread, '==', threads - 1), [store(constant(threads + 1))]),
    making.barrier(),
    making.keep(binary(left, '+', binary(middle, '-', right))),
  ];
}

/** Threads of a warp hand on what they have. */
function warpTurn(making: Making): Statement[] | undefined {
  const held = whole(making);
  if (!held || making.threads % WARP !== 0) return undefined;
  const { array } = held;
  const by = 1 + making.random.below(WARP - 1);
  const inWarp = binary(binary(thread, '+', by), '&', WARP - 1);
  const neighbour = binary(binary(thread, '-', binary(thread, '&', WARP - 1)), '+', inWarp);
  const mine = binary(load(array, thread), '+', thread);
  const name = making.newName();
  return [
    { is: 'store', array, index: thread, value: mine, known: false },
    making.barrier(true),
    { is: 'declare', name, value: load(array, neighbour) },
    making.barrier(true),
    { is: 'store', array, index: thread, value: variable(name), known: false },
  ];
}

/** The same sums as of a tree, of each warp. */
function warpTree(making: Making): Statement[] | undefined {
  const held = whole(making);
  if (!held || making.threads % WARP !== 0) return undefined;
  const name = making.newName();
  const lane = binary(thread, '&', WARP - 1);
  const step = making.guard(compare(lane, '<', variable(name)), [
    add(held, thread, binary(thread, '+', variable(name))),
  ]);
  return [{ is: 'halves', name, from: WARP / 2, body: [step, making.barrier(true)] }];
}
