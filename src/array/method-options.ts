import type { LaneOptions } from './engine.ts';

/** The options of variances. */
export interface VarianceOptions {
  /** What is taken from the number of elements that is divided by: 0 by default, 1 of a sample. */
  readonly correction?: number | undefined;
}

/** The options of {@link NDArray.norm}. */
export interface NormOptions {
  /** The order: 2 by default, 1, Infinity, -Infinity or 0. */
  readonly ord?: number | undefined;
}

/** The options of {@link reshape}. */
export interface ReshapeOptions extends LaneOptions {
  /** True copies always, false never: it throws where a view cannot have the shape. By default a copy is made where one is needed. */
  readonly copy?: boolean | undefined;
}

/** The options of {@link compress}. */
export interface CompressOptions {
  /** The axis; by default the elements are chosen as if they were along one. */
  readonly axis?: number | undefined;
}

/** What an index out of range is. */
export interface ModeOptions {
  /**
   * `'clip'`: the nearest of the axis, so that negative ones are 0; `'wrap'`: the one that is reached by going around. By default
   * negative ones count from the end, then the nearest is taken.
   */
  readonly mode?: 'clip' | 'wrap' | undefined;
}

/** The options of {@link NDArray.put}. */
export interface PutOptions extends LaneOptions, ModeOptions {}

/** The options of functions that assign to elements of one axis. */
export interface ScatterOptions extends LaneOptions {
  /** The axis that the indices choose from, 0 by default. */
  readonly axis?: number | undefined;
}

/** The options of {@link diagonal}. */
export interface DiagonalOptions {
  /** Which diagonal: 0, the default, is the main one, 1 the one above. */
  readonly offset?: number | undefined;
  /** The axis of rows, the first by default. */
  readonly axis1?: number | undefined;
  /** The axis of columns, the second by default. */
  readonly axis2?: number | undefined;
}

/** Along which axis, and in which order, elements are sorted. */
export interface SortOrder {
  /** The axis to sort along, the last by default. */
  readonly axis?: number | undefined;
  /** Whether the greatest come first. NaN is last even so. */
  readonly descending?: boolean | undefined;
  /** Equal elements always stay in their order: the option is there for code that asks for it. */
  readonly stable?: boolean | undefined;
}
