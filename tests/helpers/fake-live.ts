/** Objects on the fake driver's side, of which it counts those that are alive. */
export const LIVE = [
  'memory',
  'host',
  'stream',
  'event',
  'module',
  'context',
  'primary',
  'graph',
  'graphExec',
  'pool',
  'registered',
  'physical',
  'reserved',
  'mapped',
  'opened',
  'library',
] as const;
