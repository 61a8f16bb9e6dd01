/** Options of Node.js that load a module before the program. */
const PRELOAD = /^(?:-r|--require|--import|--loader|--experimental-loader)$/;
/** Options that observe the user's program. The program already uses a debugger's port, too. */
const OBSERVER = /^--(?:inspect|debug-port|cpu-prof|heap-prof|test|watch)/;

/**
 * `NODE_OPTIONS` for the process that compiles: without inspectors and profilers, which are meant for the user's
 * program, and without preloaded modules, which may do anything, such as compile. Yarn's Plug'n'Play stays, since it
 * finds packages.
 */
export function optionsForCompiler(options: string): string {
  const words = options.match(/(?:[^\s"]|"(?:\\.|[^"\\])*")+/g) ?? [];
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const [name = '', inline] = word.split('=');
    const next = inline === undefined && words[i + 1]?.startsWith('-') === false ? words[++i] : undefined;
    const value = inline ?? next ?? '';
    if (OBSERVER.test(name) || (PRELOAD.test(name) && !/\.pnp\.(?:loader\.)?[cm]?js"?$/.test(value))) continue;
    kept.push(next === undefined ? word : `${word} ${next}`);
  }
  return kept.join(' ');
}
