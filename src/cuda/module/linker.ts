import { PublicObject } from '../../core/public-object.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { MAKER } from '../../core/maker.ts';
import { linkWithDriver } from './driver-linker.ts';
import { JIT_OPTIONS, type JitOptions } from './jit-options.ts';
import { linkWithNvJitLink } from './nvjitlink.ts';
import { partsOf, Program } from './program.ts';
import type { ProgramKind } from '../compiler/program-parts.ts';
import { isEmbedded } from '../selection.ts';
import type { Linked, LinkInput } from './link-input.ts';

/** How programs are linked. */
export interface LinkerOptions extends JitOptions {
  /**
   * `'driver'` needs nothing but a current context; `'nvjitlink'` needs its library, takes LTO IR, and no device where
   * `target` is given. By default the driver, and nvJitLink where LTO IR is among the programs. The embedded CPU device
   * links by itself, whatever is given.
   */
  readonly backend?: 'driver' | 'nvjitlink';
  /** Options for nvJitLink, as in its documentation: `'-kernels-used=main'`, `'-ftz=true'`. */
  readonly options?: readonly string[];
}

/**
 * Puts programs together: functions and variables that one leaves open are found in the others.
 *
 * @example
 * ```ts
 * import { Linker, Program } from 'rawkernel/cuda';
 *
 * const linker = new Linker({ target: 'sm_90' });
 * linker.add(Program.fromBytes('.version 7.0\n.target sm_70\n.address_size 64\n'), 'empty');
 * linker.inputs.length; // 1
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html | cuLinkCreate}
 * @see {@link https://docs.nvidia.com/cuda/nvjitlink/index.html | nvJitLink}
 */
export class Linker extends PublicObject {
  readonly #options: LinkerOptions;
  readonly #inputs: LinkInput[] = [];

  /**
   * Begin with nothing.
   *
   * @throws TypeError an option is unknown
   */
  constructor(options: LinkerOptions = {}) {
    super();
    checkOptions(options, ['backend', 'options', ...JIT_OPTIONS], 'Linker');
    const { backend } = options;
    if (backend !== undefined && backend !== 'driver' && (backend as unknown) !== 'nvjitlink') {
      throw new TypeError(`backend must be 'driver' or 'nvjitlink', got ${nameOf(backend)}`);
    }
    this.#options = options;
  }

  /** What was added, in its order. */
  get inputs(): readonly LinkInput[] {
    return [...this.#inputs];
  }

  /**
   * Add a program.
   *
   * @param name - for messages
   * @returns the linker itself
   */
  add(program: Program, name = `input ${this.#inputs.length}`): this {
    if (!(program instanceof Program)) {
      throw new TypeError(`Linker.add takes a Program (Program.compile, Program.fromBytes), got ${nameOf(program)}`);
    }
    if (program.kind === 'optixir') throw new TypeError(`${name} is OptiX IR: OptiX loads it, linkers do not`);
    if (typeof name !== 'string' || name.includes('\0')) throw new TypeError('A name must be a string without NUL');
    this.#inputs.push({ name, program });
    return this;
  }

  /** Add code; see {@link Program.fromBytes}. */
  addData(code: string | HostMemory, kind?: ProgramKind, name?: string): this {
    return this.add(Program.fromBytes(code, kind), name);
  }

  /** Add a file: PTX, a cubin, a fatbin, an object (`.o`), a library (`.a`), a saved program. */
  addFile(path: string): this {
    return this.add(Program.load(path), path);
  }

  /**
   * Link what was added.
   *
   * Host: blocks.
   *
   * @returns a cubin, with the linker's log
   * @throws RangeError nothing was added
   * @throws {@link CompileError} it does not link; the message has the linker's log
   * @throws {@link CudaLogicError} no context is current
   * @throws {@link LibraryNotFoundError} nvJitLink is required and not installed
   */
  link(): Program {
    if (this.#inputs.length === 0) throw new RangeError('There is nothing to link: add() programs first');
    const { backend, options, ...jit } = this.#options;
    if (isEmbedded()) return this.#linked(linkWithDriver(this.#inputs, jit));
    const lto = this.#inputs.some(({ program }) => program.kind === 'ltoir');
    const nvjitlink = (backend ?? (lto ? 'nvjitlink' : 'driver')) === 'nvjitlink';
    if (lto && !nvjitlink) throw new TypeError("The driver does not link LTO IR: leave backend: 'driver' out");
    if (!nvjitlink && options !== undefined)
      throw new TypeError("options are nvJitLink's: pass backend: 'nvjitlink' too");
    const linked = nvjitlink
      ? linkWithNvJitLink(this.#inputs, jit, options ?? [], lto)
      : linkWithDriver(this.#inputs, jit);
    return this.#linked(linked);
  }

  #linked(linked: Linked): Program {
    const all = this.#inputs.map(({ program }) => partsOf(program));
    const names = Object.assign({}, ...all.map((parts) => parts.names)) as Record<string, string>;
    return new Program(MAKER, {
      ...linked,
      kind: 'cubin',
      names,
      ptx: '',
      declarations: all.flatMap((parts) => parts.declarations),
    });
  }
}
