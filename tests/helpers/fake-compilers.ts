import type { NvJitLinkTable } from '../../src/cuda/libraries/nvjitlink/table.ts';
import type { NvtxTable } from '../../src/cuda/libraries/nvtx/table.ts';
import type { NvvmTable } from '../../src/cuda/libraries/nvvm/table.ts';
import type { NvrtcTable } from '../../src/cuda/sys/tables.ts';
import { functions as nvJitLink } from '../../src/cuda/libraries/nvjitlink/functions.ts';
import { functions as nvrtc } from '../../src/cuda/sys/nvrtc.ts';
import { functions as nvtx } from '../../src/cuda/libraries/nvtx/functions.ts';
import { functions as nvvm } from '../../src/cuda/libraries/nvvm/functions.ts';
import { addressOf } from '../../src/ffi/memory.ts';
import { strictTable } from './strict-table.ts';

/** What the libraries around the driver have given out and not got back. */
export interface FakeCompilers {
  readonly nvrtc: NvrtcTable;
  readonly nvJitLink: NvJitLinkTable;
  readonly nvvm: NvvmTable;
  readonly nvtx: NvtxTable;
  readonly live: Record<'program' | 'link' | 'ir' | 'domain' | 'range', number>;
}

const CODE = Buffer.from(
  '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a) { ret; }\n\0',
);
const LOG = Buffer.from('a remark\0');
const NAME = Buffer.from('k\0');
const INVALID = 4;
const HEAP_EXHAUSTED = 14;

/** NVRTC, nvJitLink, libNVVM and NVTX that give the same code for every source. */
export function fakeCompilers(): FakeCompilers {
  const live = { program: 0, link: 0, ir: 0, domain: 0, range: 0 };
  let next = 0x1000n;
  let heap = 4096n;
  const put = (out: unknown, value: bigint | number): number => {
    (out as BigUint64Array)[0] = value as bigint;
    return 0;
  };
  const open = (kind: keyof typeof live) => (out: unknown) => {
    live[kind]++;
    return put(out, (next += 0x10n));
  };
  const gone = (kind: keyof typeof live) => (slot: BigUint64Array) => {
    if (slot[0] === 0n) return INVALID;
    live[kind]--;
    return put(slot, 0n);
  };
  const size = (bytes: Uint8Array) => (_handle: bigint, out: unknown) => put(out, BigInt(bytes.length));
  const give = (bytes: Uint8Array) => (_handle: bigint, out: unknown) => {
    (out as Uint8Array).set(bytes);
    return 0;
  };
  const nothing = (): number => 0;
  return {
    live,
    nvrtc: strictTable(
      nvrtc,
      {
        nvrtcGetErrorString: () => 'a status',
        nvrtcVersion: (major: unknown, minor: unknown) => put(major, 12) || put(minor, 8),
        nvrtcGetNumSupportedArchs: (out: unknown) => put(out, 2),
        nvrtcGetSupportedArchs: (out: Int32Array) => {
          out.set([70, 80]);
          return 0;
        },
        nvrtcCreateProgram: open('program'),
        nvrtcDestroyProgram: gone('program'),
        // Compilations off the main thread simply run.
        nvrtcCompileProgram: nothing,
        nvrtcGetPTXSize: size(CODE),
        nvrtcGetPTX: give(CODE),
        nvrtcGetCUBINSize: size(CODE),
        nvrtcGetCUBIN: give(CODE),
        nvrtcGetLTOIRSize: size(CODE),
        nvrtcGetLTOIR: give(CODE),
        nvrtcGetOptiXIRSize: size(CODE),
        nvrtcGetOptiXIR: give(CODE),
        nvrtcGetProgramLogSize: size(LOG),
        nvrtcGetProgramLog: give(LOG),
        nvrtcAddNameExpression: nothing,
        nvrtcGetLoweredName: (_program: bigint, _name: string, out: unknown) => put(out, addressOf(NAME)),
        nvrtcGetPCHHeapSize: (out: unknown) => put(out, heap),
        nvrtcSetPCHHeapSize: (bytes: bigint | number) => {
          heap = BigInt(bytes);
          return 0;
        },
        nvrtcGetPCHCreateStatus: () => (heap < 8192n ? HEAP_EXHAUSTED : 0),
        nvrtcGetPCHHeapSizeRequired: (_program: bigint, out: unknown) => put(out, 8192n),
      },
      'NVRTC',
    ),
    nvJitLink: strictTable(
      nvJitLink,
      {
        nvJitLinkCreate: open('link'),
        nvJitLinkDestroy: gone('link'),
        nvJitLinkAddData: nothing,
        nvJitLinkComplete: nothing,
        nvJitLinkGetLinkedCubinSize: size(CODE),
        nvJitLinkGetLinkedCubin: give(CODE),
        nvJitLinkGetErrorLogSize: size(LOG),
        nvJitLinkGetErrorLog: give(LOG),
        nvJitLinkGetInfoLogSize: size(LOG),
        nvJitLinkGetInfoLog: give(LOG),
      },
      'nvJitLink',
    ),
    nvvm: strictTable(
      nvvm,
      {
        nvvmCreateProgram: open('ir'),
        nvvmDestroyProgram: gone('ir'),
        nvvmAddModuleToProgram: nothing,
        nvvmLazyAddModuleToProgram: nothing,
        nvvmVerifyProgram: nothing,
        nvvmCompileProgram: nothing,
        nvvmGetCompiledResultSize: size(CODE),
        nvvmGetCompiledResult: give(CODE),
        nvvmGetProgramLogSize: size(LOG),
        nvvmGetProgramLog: give(LOG),
      },
      'libNVVM',
    ),
    nvtx: strictTable(
      nvtx,
      {
        nvtxDomainMarkEx: nothing,
        nvtxDomainRangeStartEx: () => {
          live.range++;
          return 5n;
        },
        nvtxDomainRangeEnd: () => {
          live.range--;
        },
        nvtxDomainRangePushEx: nothing,
        nvtxDomainRangePop: nothing,
        nvtxDomainCreateA: () => {
          live.domain++;
          return 0x77n;
        },
        nvtxDomainDestroy: () => {
          live.domain--;
        },
        nvtxDomainNameCategoryA: () => undefined,
        nvtxNameCuStreamA: () => undefined,
      },
      'NVTX',
    ),
  };
}
