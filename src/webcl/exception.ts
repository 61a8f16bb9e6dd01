import * as flat from '../node-opencl/flat.ts';
import { CLObject, type Kind } from '../node-opencl/handle.ts';
import { status as statuses } from '../opencl/sys/enums.ts';

type StatusName = keyof typeof statuses;

/** The error constants of node-opencl by their messages, which are all different. */
const BY_MESSAGE: ReadonlyMap<string, string> = new Map(
  Object.entries(flat).flatMap(([name, value]) => (value instanceof Error ? [[value.message, name] as const] : [])),
);

/**
 * The error of a WebCL call.
 *
 * @example
 * ```ts
 * import { webcl, WebCLException } from 'rawkernel/webcl';
 *
 * try {
 *   webcl.createContext(webcl.DEVICE_TYPE_ACCELERATOR);
 * } catch (error) {
 *   if (error instanceof WebCLException) console.log(error.name, error.code); // DEVICE_NOT_FOUND -1
 * }
 * ```
 */
export class WebCLException extends Error {
  /** The error's constant: `INVALID_VALUE`. */
  override readonly name: string;
  /** The constant's number: -30. */
  readonly code: number;

  /** @internal */
  constructor(name: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = name;
    this.code = statuses[`CL_${name}` as StatusName][0];
  }
}

/** The WebCL exception for an error of the flat layer. Errors that are not OpenCL's are unchanged. */
function exceptionOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const name = BY_MESSAGE.get(error.message);
  if (name === undefined) return error;
  const { cause } = error;
  return new WebCLException(name, cause instanceof Error ? cause.message : error.message, cause);
}

/** Refuse a wrapper of the flat layer that was released. */
export function checkLive(handle: CLObject<Kind>, kind: Kind): void {
  try {
    CLObject.raw(handle, kind);
  } catch (error) {
    throw exceptionOf(error);
  }
}

/** Whether a wrapper of the flat layer was not released. */
export function isLive(handle: CLObject<Kind>, kind: Kind): boolean {
  try {
    CLObject.raw(handle, kind);
    return true;
  } catch {
    return false;
  }
}

type Functions = {
  readonly [Name in keyof typeof flat as (typeof flat)[Name] extends Call ? Name : never]: (typeof flat)[Name];
};
type Call = (...args: never[]) => unknown;

/** node-opencl's functions, throwing {@link WebCLException}. */
export const cl: Functions = Object.fromEntries(
  Object.entries(flat).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, throwing(value as Call)]] : [],
  ),
) as unknown as Functions;

function throwing(call: Call): Call {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      throw exceptionOf(error);
    }
  };
}
