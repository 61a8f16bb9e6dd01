import { ListOfLists, type ListOfListsOptions } from '../../array/generated/list-of-lists.ts';
import { currentEngine } from './engine.ts';

/**
 * Lists of different lengths, one for each object, by a function that appends to them: PyOpenCL's. The function runs twice: to count,
 * and to write where each list has its place.
 *
 * The text has a function `generate(LIST_ARG_DECL USER_ARG_DECL index_type i)` that writes `APPEND_name(value)` for the lists of each
 * name; it passes `LIST_ARGS USER_ARGS` on to functions of its own.
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const builder = new xp.ListOfListsBuilder(
 *   [['multiples', 'i32']],
 *   'void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) { for (int k = 1; k <= i; k++) APPEND_multiples(k * step); }',
 *   'int step',
 * );
 * const { multiples } = builder(4, 10);
 * multiples?.lists; // [10, 10, 20, 10, 20, 30]
 * multiples?.starts; // [0, 0, 1, 3, 6]
 * ```
 */
export class ListOfListsBuilder extends ListOfLists {
  /**
   * @param lists - the names of lists and the dtypes of their elements
   * @param generate - C
   * @param parameters - C declarations, as `ElementwiseKernel` takes them
   * @throws TypeError not a text, or names that do not fit
   */
  constructor(
    lists: readonly (readonly [name: string, dtype: string])[],
    generate: string,
    parameters: string | readonly string[] = '',
    options: ListOfListsOptions = {},
  ) {
    super(currentEngine, lists, generate, parameters, options);
  }
}
