import { expect, test } from '@jest/globals';
import { ClosedError, GpuError } from '../../src/core/errors.ts';
import { reclaim } from '../../src/core/handle.ts';
import * as cuda from '../../src/cuda/index.ts';
import * as pythonNames from '../../src/cuda/python-names.ts';
import { HOT } from '../../src/cuda/select.ts';
import { functions } from '../../src/cuda/sys/driver.ts';
import { ARGUMENT_PROGRAMS } from '../helpers/cuda-programs-arguments.ts';
import { CUDA_PROGRAMS } from '../helpers/cuda-programs.ts';
import { fakeGround } from '../helpers/cuda-ground.ts';
import { misuses } from '../helpers/cuda-misuse.ts';
import { looks } from '../helpers/null-arguments.ts';
import { useChange } from '../helpers/retrying.ts';
import { sourceFiles } from '../helpers/sources.ts';
import { expectWarnings } from '../helpers/warnings.ts';

// A GPU's driver reads through NULL without a look, and some of its functions are called without the checks of the table:
// whatever a public call is given, only what the driver takes may reach it.

const PROGRAMS = { ...CUDA_PROGRAMS, ...ARGUMENT_PROGRAMS };

/** What CUDA's documentation says may be NULL: the default stream, no context, no list, no answer wanted. */
const NULLABLE = new Set([
  'CUstream',
  'cuCtxSetCurrent.ctx',
  'cuGraphAddChildGraphNode.dependencies',
  'cuGraphAddEmptyNode.dependencies',
  'cuGraphAddEventRecordNode.dependencies',
  'cuGraphAddEventWaitNode.dependencies',
  'cuGraphAddKernelNode.dependencies',
  'cuGraphAddMemAllocNode.dependencies',
  'cuGraphAddMemFreeNode.dependencies',
  'cuGraphAddMemcpyNode.dependencies',
  'cuGraphAddMemsetNode.dependencies',
  'cuGraphAddNode.dependencies',
  // How many there are.
  'cuGraphGetEdges.from',
  'cuGraphGetEdges.to',
  'cuGraphGetNodes.nodes',
  // Arguments come packed.
  'cuLaunchKernel.kernelParams',
  'cuLaunchKernelEx.kernelParams',
  'cuLibraryLoadData.libraryOptions',
  'cuLibraryLoadData.libraryOptionValues',
  'cuLinkAddData.options',
  'cuLinkAddData.optionValues',
  'cuMemAddressReserve.addr',
  'cuOccupancyMaxPotentialBlockSize.blockSizeToDynamicSMemSize',
  'cuOccupancyMaxPotentialBlockSizeWithFlags.blockSizeToDynamicSMemSize',
  'cuStreamGetCaptureInfo.graph_out',
  'cuStreamGetCaptureInfo.dependencies_out',
  'cuStreamGetCaptureInfo.numDependencies_out',
  'cuTexObjectCreate.pTexDesc',
  'cuTexObjectCreate.pResViewDesc',
]);

/** What an object remembers of its memory goes to no driver. */
const KEPT = /\.elementTag$/;
/** Text for a compiler, which is looked at before anything is called. */
const COMPILERS = [
  'Program.compile',
  'Program.compileLater',
  'Program.fromNvvm',
  'SourceModule.compile',
  'dynamicSourceModule',
];
const ENGINE =
  /Cannot (?:read|set|convert|mix|destructure)|is not (?:a function|iterable|a constructor)|private member|Invalid (?:array|typed)/;
/** Stops a program behind the call that was changed. */
class Stop extends Error {}

/** The number and the name of a call in its program. */
interface Place {
  readonly at: number;
  readonly name: string;
}

interface Made {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Callers of these make the checks of the table themselves. */
const QUICK = [...sourceFiles()]
  .filter(([path]) => path.startsWith('src/cuda/'))
  .flatMap(([, { text }]) => [...text.matchAll(/\bquickly\('(\w+)'\)/g)].map(([, name = '']) => name));
const look = looks(functions, NULLABLE, [...HOT, ...QUICK]);

/** Run a program, with what reaches the driver looked at. Returns what was wrong. */
async function watch(program: () => unknown): Promise<string[]> {
  const wrong: string[] = [];
  const ground = fakeGround((routine, args, next) => {
    const complaint = look(routine, args);
    if (complaint !== undefined) wrong.push(complaint);
    return next();
  });
  try {
    await program();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  } finally {
    useChange(undefined);
    ground.end();
  }
  return wrong;
}

/** The calls of a program, as it makes them. */
async function callsOf(program: () => unknown): Promise<Made[]> {
  const calls: Made[] = [];
  // Objects of no exported class are known by their calls from the first run on.
  await watch(program);
  const wrong = await watch(() => {
    useChange((name, args, call) => {
      calls.push({ name, args });
      return call(args);
    });
    return program();
  });
  expect(wrong).toEqual([]);
  return calls;
}

/** Gives other arguments in the place of those of a program. */
type Given = (args: readonly unknown[]) => readonly unknown[];

/** Each argument of a call as undefined and as null, and the call without it and what follows. */
function changesOf(count: number): Record<string, Given> {
  const changes: Record<string, Given> = {};
  for (let i = 0; i < count; i++) {
    changes[`argument ${i} undefined`] = (args) => args.with(i, undefined);
    changes[`argument ${i} null`] = (args) => args.with(i, null);
    changes[`${i} arguments`] = (args) => args.slice(0, i);
  }
  return changes;
}

/** Make one call of a program with other arguments. Returns what was wrong. */
async function changed(program: () => unknown, { at, name }: Place, other: Given): Promise<string[]> {
  let count = 0;
  const words: string[] = [];
  const wrong = await watch(() => {
    useChange((called, given, call) => {
      if (count++ !== at) return call(given);
      if (called !== name) throw new Error(`${called} came in the place of ${name}`);
      let result: unknown;
      try {
        result = call(other(given));
      } catch (error) {
        const text = complaintOf(error);
        if (text !== undefined) words.push(text);
      }
      useChange(undefined);
      close(result);
      throw new Stop();
    });
    return program();
  });
  return [...wrong, ...words];
}

function complaintOf(error: unknown): string | undefined {
  const { name, message } = error as Error;
  const ours =
    error instanceof GpuError ||
    error instanceof ClosedError ||
    ['TypeError', 'RangeError', 'SyntaxError'].includes(name);
  return ours && !ENGINE.test(message) ? undefined : `${name}: ${message}`;
}

function close(value: unknown): void {
  if (typeof value !== 'object' || value === null || !('close' in value)) return;
  (value as { close: () => void }).close();
}

/** Every exported function, and every method and setter of the exported classes that takes something. */
function takers(): string[] {
  const found = new Set<string>();
  const members = (title: string, at: object): void => {
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (['constructor', 'length', 'name', 'prototype'].includes(key)) continue;
      const value: unknown = property.value;
      if (property.set || (typeof value === 'function' && value.length > 0)) found.add(`${title}.${key}`);
    }
  };
  for (const [name, value] of Object.entries(cuda)) {
    if (typeof value !== 'function' || name in pythonNames || /Error$/.test(name)) continue;
    if (!/^class\b/.test(Function.prototype.toString.call(value))) {
      if (value.length > 0) found.add(name);
      continue;
    }
    for (
      let at: unknown = value;
      typeof at === 'function' && at !== Function.prototype;
      at = Object.getPrototypeOf(at)
    ) {
      members(at.name, at);
      if (at.prototype) members(at.name, at.prototype as object);
    }
  }
  return [...found].sort();
}

test('no bad input reaches the driver', async () => {
  expectWarnings('RAWKERNEL_LEAK');
  const wrong = await watch(() => {
    walk();
    reclaim();
  });
  expect(wrong).toEqual([]);
});

test('nothing that is missing reaches the driver', async () => {
  expectWarnings('RAWKERNEL_LEAK');
  const wrong: string[] = [];
  const seen = new Set<string>();
  const shapes = new Set<string>();
  let count = 0;
  for (const [title, program] of Object.entries(PROGRAMS)) {
    for (const [at, { name, args }] of (await callsOf(program)).entries()) {
      seen.add(name);
      const shape = `${name}(${args.map(brief).join()})`;
      if (shapes.has(shape)) continue;
      shapes.add(shape);
      for (const [how, other] of Object.entries(changesOf(args.length))) {
        count++;
        for (const text of await changed(program, { at, name }, other)) {
          wrong.push(`${title}: ${name}, ${how}: ${text}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(1000);
  expect(takers().filter((name) => !seen.has(name) && !KEPT.test(name))).toEqual(COMPILERS);
});

function walk(): void {
  for (const { run } of misuses()) {
    try {
      run();
    } catch {
      // What is thrown is looked at elsewhere.
    }
  }
}

function brief(value: unknown): string {
  if (typeof value === 'object' && value !== null) return value.constructor.name;
  return typeof value === 'symbol' || typeof value === 'function' ? typeof value : String(value);
}
