import type { AnyHandle } from '../../core/handle.ts';
import { nameOf } from '../../core/check.ts';
import { handleOf } from '../../core/resource.ts';
import { cl, cleanup } from '../call.ts';
import type { Context } from '../device/context.ts';
import type { RawHeaders } from './compile.ts';
import { createFromSource } from './program-binary.ts';
import { ProgramBase } from './program-base.ts';
import type { RawProgram } from './raw-program.ts';

/** Headers for one compilation: {@link Headers.release} releases the programs that were made for it. */
export interface Headers extends RawHeaders {
  release(): void;
}

/** A compilation to an object that is about to begin. */
export interface Compilation {
  readonly raw: RawProgram;
  readonly ids: BigUint64Array;
  readonly headers: Headers;
}

/** Read the headers that a user gave: programs, or texts, by the names after `#include`. */
export function readHeaders(context: Context, headers: unknown, what: string): Headers {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw new TypeError(`${what}: headers must be an object of programs or texts by name, got ${nameOf(headers)}`);
  }
  const made: RawProgram[] = [];
  // A compilation on a thread still uses them after they are closed.
  const owners: AnyHandle[] = [];
  const release = (): void => {
    for (const raw of made.splice(0)) cleanup('Program', () => cl.clReleaseProgram(raw));
    for (const owner of owners.splice(0)) owner.release();
  };
  try {
    const programs = Object.entries(headers).map(([name, header]: [string, unknown]) => {
      if (header instanceof ProgramBase) {
        if (header.context.identity === context.identity && header.source !== '') {
          const raw = header.native(what);
          owners.push(handleOf(header, what).retain());
          return raw;
        }
        throw new TypeError(`${what}: header '${name}' must be a Program of a text, of the same context`);
      }
      if (typeof header !== 'string') {
        throw new TypeError(`${what}: header '${name}' must be a Program or a string, got ${nameOf(header)}`);
      }
      const raw = createFromSource(context, header === '' ? '\n' : header);
      made.push(raw);
      return raw;
    });
    return { names: Object.keys(headers), programs, release };
  } catch (error) {
    release();
    throw error;
  }
}
