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

/** Which elements of an axis are chosen by their order. */
export interface SelectOrder {
  /** The axis, the last by default. */
  readonly axis?: number | undefined;
  /** Whether the greatest are chosen, as by default, or the least. */
  readonly largest?: boolean | undefined;
  /** Whether what is chosen is in order, as by default. */
  readonly sorted?: boolean | undefined;
}

/** Between elements, the rules of R. J. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages" (1996), and NumPy's own. */
export type QuantileMethod =
  | 'linear'
  | 'lower'
  | 'higher'
  | 'midpoint'
  | 'nearest'
  | 'inverted_cdf'
  | 'averaged_inverted_cdf'
  | 'closest_observation'
  | 'interpolated_inverted_cdf'
  | 'hazen'
  | 'weibull'
  | 'median_unbiased'
  | 'normal_unbiased';

/** Which quantiles are taken. */
export interface QuantileRule {
  /** The axis, or several; all by default. */
  readonly axis?: number | readonly number[] | undefined;
  /** Whether these axes stay, with length 1. */
  readonly keepdims?: boolean | undefined;
  /** What lies between two elements: `'linear'` by default. */
  readonly method?: QuantileMethod | undefined;
}
