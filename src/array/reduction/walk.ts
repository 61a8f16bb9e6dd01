/** How a kernel walks over what is reduced. */
export interface ReductionWalk {
  /**
   * Which axis neighbouring threads go along: `rows` has each row of elements reduced by threads that stand side by side,
   * `columns` has each thread reduce columns of its own, together with those above and below it.
   */
  readonly geometry: 'rows' | 'columns';
  /** Whether a thread reduces elements of its own alone: for devices whose threads run one after another. */
  readonly isSerial: boolean;
  /** Elements that a thread has at once: states of its own in a row, or columns. */
  readonly lanes: number;
  /** Whether these are read at once, by up to 16 bytes. */
  readonly isPacked: boolean;
  /** Whether the elements of the axis that threads go along follow each other in memory. */
  readonly isUnit: boolean;
  /** The number of axes that stay, without the one of the columns. */
  readonly outer: number;
  /** The number of axes that are reduced. */
  readonly inner: number;
  /** Whether places are counted in 64 bits. */
  readonly isWide: boolean;
  /** What is read: elements, or states that another kernel left. */
  readonly from: 'elements' | 'states';
  /** What is written: results, or states. */
  readonly to: 'results' | 'states';
}

/** Threads of a group, at most: those that shared memory is for. */
export const THREADS = 256;

/** A number that stands for a walk. */
export function walkKey(walk: ReductionWalk): number {
  let key = walk.lanes * 64 + walk.outer;
  key = key * 64 + walk.inner;
  for (const bit of [walk.isSerial, walk.isPacked, walk.isUnit, walk.isWide]) key = key * 2 + Number(bit);
  for (const bit of [walk.geometry === 'rows', walk.from === 'states', walk.to === 'states'])
    key = key * 2 + Number(bit);
  return key;
}

/** What the kernel of a walk is called behind the name of what it computes. */
export function walkName(walk: ReductionWalk): string {
  const words = [
    walk.from === 'states' ? 'join' : '',
    walk.geometry,
    `${walk.outer}of${walk.outer + walk.inner}`,
    walk.lanes === 1 ? '' : walk.isPacked ? `by${walk.lanes}` : `${walk.lanes}at`,
    walk.isUnit ? '' : 'strided',
    walk.isSerial ? 'serial' : '',
    walk.to === 'states' ? 'part' : '',
    walk.isWide ? 'wide' : '',
  ];
  return words.filter((word) => word !== '').join('_');
}
