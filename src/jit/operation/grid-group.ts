import { VOID } from '../kernel-type.ts';
import type { Expression, Operation, Span } from '../tree.ts';
import { asking, callOf, type BuiltinTable } from './operation.ts';

/** All threads of the grid, which wait for each other: Numba's `cuda.cg.this_grid()`. It is a name, and no value. */
const THIS_GRID: Operation = { name: 'this_grid', cuda: () => '', js: () => '' };

/** What threads say that they wait for. */
export const GRID_SYNC_NAME = 'this_grid().sync';

/** CUDA C++ Programming Guide, grid synchronization: the kernel has to be launched as a cooperative one. */
const GRID_SYNC: Operation = {
  name: GRID_SYNC_NAME,
  effect: 'barrier',
  cuda: () => 'cooperative_groups::this_grid().sync()',
  isChecked: true,
  js: asking(GRID_SYNC_NAME),
};

/** Whether a value is the grid. */
export function isGrid(expression: Expression): boolean {
  return expression.kind === 'call' && expression.operation === THIS_GRID;
}

/** `grid.sync()` */
export function gridSync(span: Span): Expression {
  return callOf(GRID_SYNC, [], VOID, span);
}

export const gridBuiltins: BuiltinTable = {
  'cg.this_grid': {
    usage: 'cuda.cg.this_grid()',
    arity: [0, 0],
    read: ({ span }) => callOf(THIS_GRID, [], VOID, span),
  },
};
