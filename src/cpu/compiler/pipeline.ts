import { wasm as engine } from '../webassembly.ts';
import { assemble, type Assembled } from './assemble.ts';
import { translate } from './front-end.ts';
import { KernelError } from './kernel-error.ts';
import { generate, link, optimise } from './link.ts';
import { translateOptions } from './options.ts';
import { prepare, type Prepared } from './prepare.ts';
import type { CompileAnswer, CompileRequest } from './request.ts';
import type { Toolchain, ToolResult } from './toolchain.ts';

/** How long each stage took, in milliseconds. */
export type Timing = Record<string, number>;

/** Compile CUDA C++ for the CPU device. */
export function compileProgram(toolchain: Toolchain, request: CompileRequest, timing: Timing = {}): CompileAnswer {
  const timed = <T>(stage: string, work: () => T): T => {
    const start = performance.now();
    const result = work();
    timing[stage] = performance.now() - start;
    return result;
  };
  const options = translateOptions(request.options);
  if (options.errors.length > 0) return { log: options.errors.join('\n') };
  const front = timed('front', () => translate(toolchain, request, options));
  const text = textOf(front);
  if (text === undefined) return { log: front.log };
  try {
    const prepared = timed('prepare', () => prepare(text));
    const first = timed('optimise', () => optimise(toolchain, prepared.text));
    const assembled = timed('assemble', () => assemble(demand(textOf(first), first), prepared, request.checked));
    const second = timed('generate', () => generate(toolchain, assembled.text));
    const object = demand(second.files['out'], second);
    const linked = timed('link', () => link(toolchain, object, assembled, prepared));
    const wasm = timed('lower', () => toolchain.lower(demand(linked.files['out'], linked)));
    return finish(request, prepared, assembled, wasm, front.log);
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const { place, line, message } = error;
    return {
      log: `${front.log}\n${place?.file ?? request.file}:${line}:${place?.column ?? 1}: error: ${message}`.trim(),
    };
  }
}

function finish(
  request: CompileRequest,
  prepared: Prepared,
  { kernels, sites }: Assembled,
  wasm: Uint8Array,
  log: string,
): CompileAnswer {
  const missing = missingImports(wasm);
  if (missing.length > 0) {
    const lines = missing.map(
      (name) => `error: unresolved extern function '${name}': the CPU device's library does not have it`,
    );
    return { log: [log, ...lines].join('\n').trim() };
  }
  const lowered: Record<string, string> = {};
  for (const [i, expression] of request.expressions.entries()) {
    lowered[expression] = (prepared.lowered.get(i) ?? '').replace(/"/g, '');
  }
  const { source, file, checked } = request;
  const { variables } = prepared;
  return { program: { wasm, kernels, variables, lowered, sites, checked, source, file }, log };
}

const GIVEN = new Set([
  'memory',
  '__indirect_function_table',
  '__memory_base',
  '__table_base',
  '__table_base32',
  '__memory_base32',
  '__stack_pointer',
]);

/** What a module wants that nobody gives. */
function missingImports(wasm: Uint8Array): string[] {
  const imports = engine.Module.imports(new engine.Module(wasm));
  return imports
    .filter(({ module, name }) => module !== 'rt' && !(module === 'env' && GIVEN.has(name)))
    .map(({ name }) => name);
}

function textOf({ ok, files }: ToolResult): string | undefined {
  const out = files['out'];
  return ok && out ? new TextDecoder().decode(out) : undefined;
}

/** What a stage after the first must have made: that it did not is our fault, not the user's. */
function demand<T>(made: T | undefined, { log }: ToolResult): T {
  if (made === undefined) throw new Error(`The CPU device's compiler failed; please report this:\n${log}`);
  return made;
}
