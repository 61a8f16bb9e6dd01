import { brand } from '../core/errors.ts';

/** The environment does not say which rank of which job this process is. */
export class LauncherError extends Error {
  readonly code = 'ERR_RAWKERNEL_LAUNCHER';
  /** The variable that is missing or wrong; undefined where no launcher was found. */
  readonly variable: string | undefined;

  constructor(message: string, variable?: string) {
    super(message);
    this.variable = variable;
  }
}
brand(LauncherError, 'LauncherError');

/** The reasons for which a store does not do what it was asked. */
export type StoreErrorCode =
  | 'ERR_RAWKERNEL_STORE_ADDRESS'
  | 'ERR_RAWKERNEL_STORE_INVALID'
  | 'ERR_RAWKERNEL_STORE_LIMIT'
  | 'ERR_RAWKERNEL_STORE_LOST'
  | 'ERR_RAWKERNEL_STORE_REFUSED'
  | 'ERR_RAWKERNEL_STORE_TIMEOUT';

/** A store of a job cannot be reached, or refuses a request. */
export class StoreError extends Error {
  /**
   * `…_ADDRESS`: the address cannot be used. `…_INVALID`: the value of the key is of another kind. `…_LIMIT`: the store is
   * full. `…_LOST`: its host has ended. `…_REFUSED`: another token, or another protocol. `…_TIMEOUT`: nothing came in time.
   */
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
brand(StoreError, 'StoreError');
