import { createHash } from 'node:crypto';
import { cacheEnabled, cacheKey, cacheRead, cacheWrite } from '../../core/cache.ts';
import { compileScope } from '../../core/compile-scope.ts';
import { includedHeaders } from '../../core/includes.ts';
import type { OpenCLRequest } from '../compiler/opencl/request.ts';
import type { CompileAnswer } from '../compiler/request.ts';
import { decodeProgram, encodeProgram } from '../abi/program.ts';
import type { OpenCLCompiler } from './compiler.ts';

/**
 * A compiler with the disk cache. Equal requests that run at the same time are compiled once. Callers with a cache of
 * their own turn this one off in their scope.
 */
export function withCache(compiler: OpenCLCompiler): OpenCLCompiler {
  const underWay = new Map<string, Promise<CompileAnswer>>();
  return {
    ...compiler,
    compile: (request) => {
      const key = keyOf(compiler, request);
      return recall(key) ?? remember(key, compiler.compile(request));
    },
    compileLater: async (request) => {
      const key = keyOf(compiler, request);
      if (key === undefined) return compiler.compileLater(request);
      const known = underWay.get(key) ?? recall(key);
      if (known) return known;
      const work = compiler.compileLater(request);
      underWay.set(key, work);
      try {
        return remember(key, await work);
      } finally {
        underWay.delete(key);
      }
    },
  };
}

/** Undefined where caching is off, or no key can tell whether an entry is valid. */
function keyOf(compiler: OpenCLCompiler, request: OpenCLRequest): string | undefined {
  if (!compileScope().cache || !cacheEnabled()) return undefined;
  const { source, file, options, headers, objects, result, checked } = request;
  const given = Object.entries(headers);
  const texts = [source, ...given.map(([, text]) => text)].join('\n');
  const onDisk = includedHeaders(texts, [...compiler.options(options).includes, process.cwd()]);
  if (!onDisk) return undefined;
  return cacheKey({
    ...{ api: 'embedded opencl', version: compiler.version(), source, file, options, result, headers: onDisk },
    given: given.flat(),
    objects: objects.map((object) => createHash('sha256').update(object).digest('hex')),
    checked: String(checked),
  });
}

function recall(key: string | undefined): CompileAnswer | undefined {
  const [log, program, object] = (key === undefined ? undefined : cacheRead(key)) ?? [];
  if (!log || !program || !object) return undefined;
  if (object.length > 0) return { object: Uint8Array.from(object), log: log.toString() };
  const decoded = decodeProgram(program);
  return decoded && { program: decoded, log: log.toString() };
}

/** Store a successful answer. */
function remember(key: string | undefined, answer: CompileAnswer): CompileAnswer {
  const { program, object, log } = answer;
  if (key === undefined || (!program && !object)) return answer;
  const none = new Uint8Array();
  cacheWrite(key, [Buffer.from(log), program ? encodeProgram(program) : none, object ?? none]);
  return answer;
}
