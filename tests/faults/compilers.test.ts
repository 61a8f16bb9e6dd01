import { expect, test } from '@jest/globals';
import * as entry from '../../src/cuda/index.ts';
import { useTables } from '../../src/cuda/select.ts';
import { functions as nvJitLink } from '../../src/cuda/libraries/nvjitlink/functions.ts';
import { functions as nvrtc } from '../../src/cuda/sys/nvrtc.ts';
import { functions as nvvm } from '../../src/cuda/libraries/nvvm/functions.ts';
import { wrapTable } from '../../src/ffi/bind.ts';
import type { Bound, Table } from '../../src/ffi/prototype.ts';
import { fakeCompilers, type FakeCompilers } from '../helpers/fake-compilers.ts';
import { fakeDriver } from '../helpers/fake-driver.ts';
import { PTX } from '../helpers/cuda-makers.ts';
import {
  coverage,
  injectFaults,
  read,
  unexplained,
  type Around,
  type Program,
  type Reasons,
} from '../helpers/faults.ts';
import { retrying } from '../helpers/retrying.ts';

const cuda = retrying(entry);
const SOURCE = '__global__ void k() {}';
const CODE = { cache: false, arch: 'compute_80' };
const ONLY_SYS = 'only rawkernel/cuda/sys has them';

const NVRTC_PROGRAMS: Readonly<Record<string, Program>> = {
  code: () => cuda.Program.compile(SOURCE, { ...CODE, nameExpressions: ['k'] }),
  later: () => cuda.Program.compileLater(SOURCE, { ...CODE, nameExpressions: ['k'] }),
  cubin: () => cuda.Program.compile(SOURCE, { ...CODE, arch: 'sm_80' }),
  ltoir: () => cuda.Program.compile(SOURCE, { ...CODE, output: 'ltoir' }),
  optixir: () => cuda.Program.compile(SOURCE, { ...CODE, output: 'optixir' }),
  headers: () => cuda.Program.compile(SOURCE, { ...CODE, createPch: 'a.pch' }),
  architectures: () => cuda.supportedArchitectures(),
  version: () => cuda.compilerVersion(),
};

/** One library under the driver: its table, what it gives out, its programs. */
interface Library {
  readonly key: 'nvrtc' | 'nvJitLink' | 'nvvm';
  readonly table: Table;
  /** No status of the library that has a meaning of its own. */
  readonly status: number;
  readonly programs: Readonly<Record<string, Program>>;
  readonly answers: Readonly<Record<string, string>>;
  readonly reasons: Reasons;
}

const LOGS = 'asked only after a failure';
const libraries: readonly (readonly [title: string, library: Library])[] = [
  [
    'NVRTC',
    {
      key: 'nvrtc',
      table: nvrtc,
      status: 11,
      programs: NVRTC_PROGRAMS,
      answers: {
        nvrtcGetPCHCreateStatus: 'a header that was not made is told as program.pch',
        nvrtcVersion: 'a version that is not told is 0.0',
      },
      reasons: { [ONLY_SYS]: ['nvrtcGetErrorString'] },
    },
  ],
  [
    'nvJitLink',
    {
      key: 'nvJitLink',
      table: nvJitLink,
      status: 6,
      programs: {
        link: () => {
          const linker = new cuda.Linker({ backend: 'nvjitlink', target: 'sm_80' });
          read(linker.add(cuda.Program.fromBytes(PTX), 'a').add(cuda.Program.fromBytes(PTX), 'b').link());
        },
      },
      answers: { nvJitLinkGetInfoLogSize: 'there is no log then', nvJitLinkGetInfoLog: 'there is no log then' },
      reasons: {
        [ONLY_SYS]: ['nvJitLinkGetLinkedPtxSize', 'nvJitLinkGetLinkedPtx'],
        [LOGS]: ['nvJitLinkGetErrorLogSize', 'nvJitLinkGetErrorLog'],
      },
    },
  ],
  [
    'libNVVM',
    {
      key: 'nvvm',
      table: nvvm,
      status: 10,
      programs: {
        compile: () => {
          read(cuda.Program.fromNvvm('; a module', { arch: 'compute_80', lazyModules: [new Uint8Array(8)] }));
        },
      },
      answers: { nvvmGetProgramLogSize: 'there is no log then', nvvmGetProgramLog: 'there is no log then' },
      reasons: { [ONLY_SYS]: ['nvvmGetErrorString', 'nvvmVersion', 'nvvmIRVersion'] },
    },
  ],
];

test.each(libraries)('every function of %s may fail: no program stays, the error tells', async (title, library) => {
  const outcome = await injectFaults({
    table: library.table,
    begin: (around) => begin(library, around),
    fail: () => library.status,
    programs: library.programs,
    destroys: /Destroy/,
    answers: library.answers,
    // These libraries tell what could not be done, and their log.
    tells: /could not (?:compile|link|begin with|read|verify|give)/,
  });
  process.stderr.write(coverage(title, library.table, outcome.failed, library.reasons));
  expect(outcome.wrong).toEqual([]);
  expect(unexplained(library.table, outcome.failed, library.reasons)).toEqual([]);
});

function begin({ key, table }: Library, around: Around): { state: () => string; end: () => void } {
  const fake: FakeCompilers = fakeCompilers();
  const wrapped: unknown = wrapTable(
    table,
    fake[key] as Bound<Table>,
    (name, _text, call) =>
      (...args) =>
        around(name, args, () => call(...args)),
  );
  useTables({ driver: fakeDriver().table, [key]: wrapped });
  return {
    state: () => JSON.stringify(fake.live),
    end: () => {
      // The driver stays for what is collected later.
      useTables({ [key]: undefined });
    },
  };
}
