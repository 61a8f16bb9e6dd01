import { readFileSync } from 'node:fs';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { addressOf } from '../../ffi/memory.ts';
import { decodeProgram, encodeProgram } from '../abi/program.ts';
import { bytesAt, putWide } from '../abi/out.ts';
import { Status } from '../abi/status.ts';
import type { Rows } from '../abi/rows.ts';
import { emptyKernels } from './empty-ptx.ts';
import { jitLogs, type JitLogs } from './jit-logs.ts';
import { linkPrograms, type LinkedInput } from './linked-program.ts';
import { foreign, FOREIGN } from './module.ts';
import type { DriverState } from './state.ts';

type Names = 'cuLinkCreate' | 'cuLinkAddData' | 'cuLinkAddFile' | 'cuLinkComplete' | 'cuLinkDestroy';

interface CpuLink {
  readonly logs: JitLogs;
  readonly inputs: LinkedInput[];
  /** PTX whose kernels are empty, which is linked with nothing. */
  empty: Uint8Array | undefined;
  /** The result, which the caller reads until the link is destroyed. */
  image: Uint8Array | undefined;
}

/** The links of a device that are not destroyed. */
export class LinkScope {
  readonly state: DriverState;
  readonly links: Map<number, CpuLink> = new Map();

  constructor(state: DriverState) {
    this.state = state;
  }
}

/** The values of CUjitInputType are 0 to 5. */
const KINDS = 6;

/** Links of programs that this device's compiler made; how a kind of input is called does not matter. */
export const linkFunctions: Rows<LinkScope, DriverTable, Names> = {
  cuLinkCreate: ({ state, links }, count, options, values, out) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    const logs = jitLogs(count, options, values);
    if (!logs) return Status.INVALID_VALUE;
    const handle = state.newHandle();
    links.set(handle, { logs, inputs: [], empty: undefined, image: undefined });
    return putWide(out, handle);
  },
  cuLinkAddData: (scope, raw, kind, data, size, name) =>
    withOpen(scope, raw, kind, (link) => {
      const bytes = data === 0n ? new Uint8Array() : bytesAt(data, Number(size)).subarray(0, Number(size));
      return bytes.length === 0 ? Status.INVALID_VALUE : add(link, bytes, name === '' ? 'input' : name);
    }),
  cuLinkAddFile: (scope, raw, kind, path) =>
    withOpen(scope, raw, kind, (link) => {
      try {
        return add(link, readFileSync(path), path);
      } catch (error) {
        link.logs.error(`error: ${(error as Error).message}`);
        return Status.FILE_NOT_FOUND;
      }
    }),
  cuLinkComplete: (scope, raw, code, size) =>
    withLink(scope, raw, (link) => {
      link.image ??= complete(link);
      if (!link.image) return Status.INVALID_IMAGE;
      putWide(code, addressOf(link.image));
      return putWide(size, link.image.length);
    }),
  cuLinkDestroy: ({ links }, raw) => (links.delete(Number(raw)) ? Status.SUCCESS : Status.INVALID_HANDLE),
};

function withLink({ state, links }: LinkScope, raw: bigint, run: (link: CpuLink) => number): number {
  const link = links.get(Number(raw));
  return state.refuse() || (link ? run(link) : Status.INVALID_HANDLE);
}

/** For a link that still takes inputs. */
function withOpen(scope: LinkScope, raw: bigint, kind: number, run: (link: CpuLink) => number): number {
  return withLink(scope, raw, (link) => (link.image || kind < 0 || kind >= KINDS ? Status.INVALID_VALUE : run(link)));
}

function add(link: CpuLink, bytes: Uint8Array, name: string): number {
  const program = decodeProgram(bytes);
  if (!program) return addEmpty(link, bytes, name);
  const other = foreign(program.arch);
  if (other) {
    link.logs.error(`${other.log} in '${name}'`);
    return other.status;
  }
  link.inputs.push({ name, program });
  return Status.SUCCESS;
}

function addEmpty(link: CpuLink, bytes: Uint8Array, name: string): number {
  if (!emptyKernels(bytes)) {
    link.logs.error(`error: '${name}' does not link. ${FOREIGN}`);
    return Status.NO_BINARY_FOR_GPU;
  }
  link.empty ??= bytes.slice();
  return Status.SUCCESS;
}

function complete({ inputs, empty, logs }: CpuLink): Uint8Array | undefined {
  const [first, ...others] = inputs;
  if (!first || empty) {
    if (first) logs.error(`error: PTX with empty kernels is linked with nothing. ${FOREIGN}`);
    else if (!empty) logs.error('error: there is nothing to link');
    return first ? undefined : empty;
  }
  if (others.length === 0 && first.program.object === undefined) return encodeProgram(first.program);
  const { program, log } = linkPrograms(inputs);
  if (program) logs.info(log);
  else logs.error(log);
  return program && encodeProgram(program);
}
