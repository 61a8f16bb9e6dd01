import { nameOf } from '../../core/check.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { currentCapability } from '../device/current-capability.ts';
import { CompileError } from '../errors.ts';
import type { JitOptions } from './jit-options.ts';
import type { LinkableKind, Linked, LinkInput } from './link-input.ts';
import { nvJitLinkCalls, NvJitLinkError } from '../libraries/nvjitlink/calls.ts';
import { NvJitLinkInput } from '../libraries/nvjitlink/constants.ts';
import { take } from '../../ffi/slot.ts';

type LinkHandle = Opaque<'nvJitLinkHandle'>;

const TYPES: Readonly<Record<LinkableKind, number>> = {
  cubin: NvJitLinkInput.CUBIN,
  ptx: NvJitLinkInput.PTX,
  fatbin: NvJitLinkInput.FATBIN,
  ltoir: NvJitLinkInput.LTOIR,
  object: NvJitLinkInput.OBJECT,
  library: NvJitLinkInput.LIBRARY,
};
const handleSlot = nvJitLinkCalls.slotOf('nvJitLinkHandle');
const sizeSlot = nvJitLinkCalls.slotOf('size_t');

/** Link with nvJitLink: for `target`, else for the device of the current context. */
export function linkWithNvJitLink(
  inputs: readonly LinkInput[],
  jit: JitOptions,
  given: readonly string[],
  lto: boolean,
): Linked {
  const { calls, cleanup } = nvJitLinkCalls;
  const arch = jit.target ?? `sm_${currentCapability()}`;
  const options = [`-arch=${arch}`, ...(lto ? ['-lto'] : []), ...flagsOf(jit), ...checked(given)];
  const texts = options.map((option) => Buffer.from(`${option}\0`));
  let handle = 0n as LinkHandle;
  const attempt = (what: string, call: () => void): void => {
    try {
      call();
    } catch (error) {
      throw error instanceof NvJitLinkError ? linkError(error, what, handle, options) : error;
    }
  };
  try {
    attempt(options.join(' '), () => {
      handleSlot[0] = 0n;
      try {
        calls.nvJitLinkCreate(handleSlot, texts.length, BigUint64Array.from(texts, addressOf));
      } finally {
        // A call that fails may have made the handle, which then has the log.
        handle = take(handleSlot);
      }
    });
    for (const { name, program } of inputs) {
      const { kind, code } = program;
      attempt(name, () => calls.nvJitLinkAddData(handle, TYPES[kind as LinkableKind], code, code.byteLength, name));
    }
    attempt(inputs.map(({ name }) => name).join(', '), () => calls.nvJitLinkComplete(handle));
    let code = new Uint8Array(1);
    attempt('the cubin', () => {
      calls.nvJitLinkGetLinkedCubinSize(handle, sizeSlot);
      code = new Uint8Array(Math.max(1, Number(take(sizeSlot))));
      calls.nvJitLinkGetLinkedCubin(handle, code);
    });
    return { code, arch, log: logOf(handle, 'Info') };
  } finally {
    if (handle !== 0n) {
      handleSlot[0] = handle;
      cleanup('nvJitLinkDestroy', handleSlot);
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
  if (!Array.isArray(options)) throw new TypeError(`options must be an array of strings, got ${nameOf(options)}`);
  for (const option of options as readonly unknown[]) {
    if (typeof option !== 'string' || option.includes('\0')) {
      throw new TypeError(`options must hold strings without NUL, got ${nameOf(option)}`);
    }
  }
  return options as readonly string[];
}

/** What a failure was about, and nvJitLink's log of it; without a log the status is named. */
function linkError(error: NvJitLinkError, what: string, handle: LinkHandle, options: readonly string[]): CompileError {
  const log = handle === 0n ? '' : logOf(handle, 'Error');
  const name = nvJitLinkCalls.statuses.has(error.status) ? error.code : `nvJitLink answered ${error.status}`;
  return new CompileError(`nvJitLink could not link ${what}`, {
    log: log === '' ? name : log,
    source: '',
    file: what,
    options,
    diagnostics: [],
  });
}

/** Empty where the log cannot be read: that is not a failure of the link. */
function logOf(handle: LinkHandle, which: 'Error' | 'Info'): string {
  const { attempt, slotOf } = nvJitLinkCalls;
  const length = slotOf('size_t');
  if (attempt(`nvJitLinkGet${which}LogSize`, handle, length) !== 0 || take(length) === 0n) return '';
  const text = Buffer.alloc(Number(take(length)));
  return attempt(`nvJitLinkGet${which}Log`, handle, text) === 0
    ? text.toString('utf8').replace(/\0.*$/s, '').trim()
    : '';
}
