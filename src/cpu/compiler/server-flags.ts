/** The first version of V8 that optimises calls in WebAssembly by counts of them. */
const FIRST_WITH_INLINING = 13;

/**
 * V8's flags for the process that compiles. Clang is 75 MB of WebAssembly, and most of it runs once: to optimise it would
 * take several times the time that it saves. On the command line these flags also turn off what they make useless, code that
 * counts calls and loops: a first compilation on Node 26 takes 0.8 s of processor time and not 1.8 s.
 */
export const SERVER_FLAGS: readonly string[] = ['--liftoff-only', '--wasm-lazy-validation'];

/** The flags with which a runtime starts the process; none for runtimes that are not Node.js. */
export function flagsOnStart({ v8, bun, deno }: NodeJS.ProcessVersions): string[] {
  if (bun !== undefined || deno !== undefined) return [];
  const counts = Number.parseInt(v8, 10) >= FIRST_WITH_INLINING;
  return [...SERVER_FLAGS, ...(counts ? ['--no-wasm-inlining'] : [])];
}

/** The status of a runtime that does not know one of its flags, as a later version may not. */
export const BAD_OPTION = 9;
