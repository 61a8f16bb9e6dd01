import { warn } from '../../core/errors.ts';
import { nameOf } from '../../core/check.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { currentCapability } from '../device/current-capability.ts';
import { CompileError } from '../errors.ts';
import type { JitOptions } from './jit-options.ts';
import type { LinkableKind, Linked, LinkInput } from './link-input.ts';
import { nvJitLink } from '../select.ts';
import { NvJitLinkInput, nvJitLinkStatus } from '../sys/nvjitlink.ts';

type LinkHandle = Opaque<'nvJitLinkHandle'>;

const TYPES: Readonly<Record<LinkableKind, number>> = {
  cubin: NvJitLinkInput.CUBIN,
  ptx: NvJitLinkInput.PTX,
  fatbin: NvJitLinkInput.FATBIN,
  ltoir: NvJitLinkInput.LTOIR,
  object: NvJitLinkInput.OBJECT,
  library: NvJitLinkInput.LIBRARY,
};
const slot = new BigUint64Array(1);

/** Link with nvJitLink: for `target`, else for the device of the current context. */
export function linkWithNvJitLink(
  inputs: readonly LinkInput[],
  jit: JitOptions,
  given: readonly string[],
  lto: boolean,
): Linked {
  const table = nvJitLink();
  const arch = jit.target ?? `sm_${currentCapability()}`;
  const options = [`-arch=${arch}`, ...(lto ? ['-lto'] : []), ...flagsOf(jit), ...checked(given)];
  const texts = options.map((option) => Buffer.from(`${option}\0`));
  const fail = (status: number, what: string, log: string): Error => {
    const reason = log === '' ? (nvJitLinkStatus.at(status) ?? `nvJitLink answered ${status}`) : log;
    return new CompileError(`nvJitLink could not link ${what}`, {
      log: reason,
      source: '',
      file: what,
      options,
      diagnostics: [],
    });
  };
  slot[0] = 0n;
  const created = table.nvJitLinkCreate(slot, texts.length, BigUint64Array.from(texts, addressOf));
  const handle = slot[0] as LinkHandle;
  try {
    if (created !== 0) throw fail(created, options.join(' '), handle === 0n ? '' : logOf(handle, 'Error'));
    for (const { name, program } of inputs) {
      const { kind, code } = program;
      const status = table.nvJitLinkAddData(handle, TYPES[kind as LinkableKind], code, code.byteLength, name);
      if (status !== 0) throw fail(status, name, logOf(handle, 'Error'));
    }
    const status = table.nvJitLinkComplete(handle);
    if (status !== 0) throw fail(status, inputs.map(({ name }) => name).join(', '), logOf(handle, 'Error'));
    const sized = table.nvJitLinkGetLinkedCubinSize(handle, slot);
    const code = new Uint8Array(Math.max(1, Number(slot[0])));
    const read = sized === 0 ? table.nvJitLinkGetLinkedCubin(handle, code) : sized;
    if (read !== 0) throw fail(read, 'the cubin', logOf(handle, 'Error'));
    return { code, arch, log: logOf(handle, 'Info') };
  } finally {
    if (handle !== 0n) {
      slot[0] = handle;
      const status = table.nvJitLinkDestroy(slot);
      if (status !== 0) warn(`nvJitLinkDestroy failed: ${nvJitLinkStatus.at(status) ?? status}`, 'RAWKERNEL_CLEANUP');
    }
  }
}

function flagsOf(jit: JitOptions): string[] {
  const { maxRegisters, optimizationLevel, threadsPerBlock, fallback, debugInfo, lineInfo, verbose, cacheMode } = jit;
  const foreign = { threadsPerBlock, fallback, cacheMode };
  for (const [name, value] of Object.entries(foreign)) {
    if (value !== undefined) throw new TypeError(`nvJitLink has no ${name}: leave it out, or link with the driver`);
  }
  return [
    ...(maxRegisters === undefined ? [] : [`-maxrregcount=${maxRegisters}`]),
    ...(optimizationLevel === undefined ? [] : [`-O${Math.min(3, optimizationLevel)}`]),
    ...(debugInfo === true ? ['-g'] : []),
    ...(lineInfo === true ? ['-lineinfo'] : []),
    ...(verbose === true ? ['-verbose'] : []),
  ];
}

function checked(options: unknown): readonly string[] {
  if (!Array.isArray(options)) throw new TypeError(`options must be an array of strings; ${nameOf(options)} came`);
  for (const option of options as readonly unknown[]) {
    if (typeof option !== 'string' || option.includes('\0')) {
      throw new TypeError(`options must hold strings without NUL; ${nameOf(option)} came`);
    }
  }
  return options as readonly string[];
}

function logOf(handle: LinkHandle, which: 'Error' | 'Info'): string {
  const table = nvJitLink();
  const size = which === 'Error' ? table.nvJitLinkGetErrorLogSize : table.nvJitLinkGetInfoLogSize;
  const read = which === 'Error' ? table.nvJitLinkGetErrorLog : table.nvJitLinkGetInfoLog;
  const length = new BigUint64Array(1);
  if (size(handle, length) !== 0 || length[0] === 0n) return '';
  const text = Buffer.alloc(Number(length[0]));
  return read(handle, text) === 0 ? text.toString('utf8').replace(/\0.*$/s, '').trim() : '';
}
