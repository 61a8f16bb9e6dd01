import type { ArrayDType } from '../dtype.ts';

/**
 * The text of a function that kernels call, for a dtype where its name ends with one: `floor_div_i32`. What it calls itself
 * is found in the text.
 */
export type Helper = (dtype: ArrayDType) => string;
