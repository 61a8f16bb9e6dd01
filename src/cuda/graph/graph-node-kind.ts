/** What a node does. */
export type GraphNodeKind =
  | 'kernel'
  | 'memcpy'
  | 'memset'
  | 'host'
  | 'child'
  | 'empty'
  | 'eventWait'
  | 'eventRecord'
  | 'semaphoreSignal'
  | 'semaphoreWait'
  | 'memAlloc'
  | 'memFree'
  | 'memOps'
  | 'conditional';

/** The kinds in the order of {@link GraphNodeType}. */
export const KINDS: readonly GraphNodeKind[] = [
  'kernel',
  'memcpy',
  'memset',
  'host',
  'child',
  'empty',
  'eventWait',
  'eventRecord',
  'semaphoreSignal',
  'semaphoreWait',
  'memAlloc',
  'memFree',
  'memOps',
  'conditional',
];
