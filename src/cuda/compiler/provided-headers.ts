import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { findHeader, markedHeaders } from '../../core/includes.ts';
import { addressOf } from '../../ffi/memory.ts';
import type { CompileTask } from './compile-task.ts';
import { STANDARD_HEADERS } from './standard-headers.ts';
import { TEMPLATE_HEADERS } from './standard-templates.ts';

/** Headers as nvrtcCreateProgram takes them. Their memory stays until others are asked for. */
export interface HeaderArguments {
  readonly count: number;
  readonly texts: BigUint64Array;
  readonly names: BigUint64Array;
}

const HEADERS = { ...STANDARD_HEADERS, ...TEMPLATE_HEADERS };

interface Native {
  readonly name: Buffer;
  readonly text: Buffer;
}

let natives: ReadonlyMap<string, Native> | undefined;
/** What the latest arguments point at. */
let held: readonly Native[] = [];

/**
 * What NVRTC is given beside the source: headers that it lacks, where neither the user nor the toolkit has one, and those of
 * the user's that it cannot read.
 *
 * @param toolkit - the folders of the toolkit, which are among the task's
 */
export function providedHeaders(
  { source, file, folders }: Pick<CompileTask, 'source' | 'file' | 'folders'>,
  toolkit: readonly string[],
): HeaderArguments {
  natives ??= new Map(Object.entries(HEADERS).map(([name, text]) => [name, native(name, Buffer.from(text))]));
  // NVRTC prefers a given header to those on disk. It cannot read the toolkit's cuda.h.
  const users = folders.filter((folder) => !toolkit.includes(folder));
  const lacking = (name: string): boolean => {
    const beside = source.includes(`"${name}"`) ? [dirname(file)] : [];
    return findHeader(name, [...beside, ...(name === 'cuda.h' ? users : folders)]) === undefined;
  };
  held = [
    ...[...natives].filter(([name]) => lacking(name)).map(([, header]) => header),
    // NVRTC reads no byte order mark, with which editors on Windows begin a file.
    ...markedHeaders(source, folders, dirname(file)).map(({ name, text }) => native(name, text)),
  ];
  return {
    count: held.length,
    texts: BigUint64Array.from(held, ({ text }) => addressOf(text)),
    names: BigUint64Array.from(held, ({ name }) => addressOf(name)),
  };
}

function native(name: string, text: Buffer): Native {
  return { name: Buffer.from(`${name}\0`), text: Buffer.concat([text, Buffer.alloc(1)]) };
}

let digest: string | undefined;

/** What decides what the provided headers are, for the cache's key. */
export function providedDigest(): string {
  return (digest ??= createHash('sha256').update(JSON.stringify(HEADERS)).digest('hex'));
}

const MISSING = /(?:cannot|could not) open source file "([^"]+)"/g;
const OF_TOOLKIT =
  /^(?:cuda_(?:fp|bf)\d+\.h|mma\.h|cuComplex\.h|math_constants\.h|cooperative_groups|cuda\/|cub\/|thrust\/|nv\/|crt\/|cuda_pipeline|sm_\d|texture_|surface_)/;
const OF_CURAND = /^curand/;
const OF_HOST =
  /^(?:iostream|istream|ostream|fstream|sstream|iomanip|string|string_view|vector|map|set|list|deque|queue|stack|array|tuple|optional|variant|functional|memory|thread|mutex|atomic|future|chrono|random|numeric|iterator|complex|exception|stdexcept|unordered_map|unordered_set|regex|filesystem|unistd\.h|windows\.h|pthread\.h|errno\.h|signal\.h|sys\/.*)$/;

/** What to do about headers that were not found, as notes under a log. */
export function missingNotes(log: string): string {
  const names = new Set([...log.matchAll(MISSING)].map(([, name = '']) => name));
  const notes = [...names].flatMap((name) => {
    const advice = adviceFor(name);
    return advice === undefined ? [] : [`note: <${name}> ${advice}`];
  });
  return notes.length === 0 ? '' : `\n${notes.join('\n')}`;
}

function adviceFor(name: string): string | undefined {
  if (OF_CURAND.test(name)) {
    return "is cuRAND's: install the CUDA toolkit with it and set CUDA_HOME, or give its folder (pip install nvidia-curand: nvidia/curand/include) by includeDirs";
  }
  if (OF_TOOLKIT.test(name)) {
    return "is the CUDA toolkit's: install it and set CUDA_HOME, or give its folder (pip install nvidia-cuda-runtime: nvidia/cuda_runtime/include) by includeDirs";
  }
  return OF_HOST.test(name) ? "is of the host's library, which kernels do not have" : undefined;
}
