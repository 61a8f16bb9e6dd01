import v8 from 'node:v8';
import { LibraryNotFoundError } from '../../core/errors.ts';
import type { Question, Reply } from './messages.ts';
import { wasm } from '../abi/webassembly.ts';
import { clearKept } from './kept-instance.ts';
import { tooMuch } from './limits.ts';
import { compileOpenCLProgram } from './opencl/pipeline.ts';
import { compileProgram } from './pipeline.ts';
import { readFilesDirectly } from './quick-load.ts';
import { loadToolchain, type Toolchain } from './toolchain.ts';

// The compiler runs in a separate process because of V8's flags, which apply to a whole process. It has them already where
// the runtime takes them from the command line.
for (const flag of process.argv.slice(2)) v8.setFlagsFromString(flag);
readFilesDirectly();

let toolchain: Promise<Toolchain> | undefined = loadToolchain();
// The answer to the first question has the error.
toolchain.catch(() => undefined);

async function answer({ id, request }: Question): Promise<Reply> {
  try {
    toolchain ??= loadToolchain();
    const tools = await toolchain;
    return {
      id,
      answer: 'language' in request ? compileOpenCLProgram(tools, request) : compileProgram(tools, request),
    };
  } catch (error) {
    toolchain = undefined;
    if (error instanceof LibraryNotFoundError) return { id, missing: error.tried };
    if (fell(error)) return { id, answer: { log: tooMuch(`stopped (${error.message})`) } };
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether clang, or code that works on its text, has run out of stack or memory. */
function fell(error: unknown): error is Error {
  return error instanceof RangeError || error instanceof wasm.RuntimeError;
}

let last = Promise.resolve();
process.on('message', (question: Question) => {
  last = last.then(async () => {
    process.send?.(await answer(question));
    setImmediate(clearKept);
  });
});
// A terminal sends its signals to this process too; the user's program decides about them.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The parent process has ended, or its compile thread ends: no more questions come.
process.on('disconnect', () => process.exit());
