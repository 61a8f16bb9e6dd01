import { nameOf } from '../../core/check.ts';
import { MAKER } from '../../core/maker.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { take } from '../../ffi/slot.ts';
import { attempt, callError } from '../call.ts';
import { slotOf } from '../slots.ts';
import { status as statuses } from '../sys/enums.ts';
import type { ReferenceHome } from '../texture/reference-sources.ts';
import { SurfaceReference } from '../texture/surface-reference.ts';
import { TextureReference } from '../texture/texture-reference.ts';

const NOT_FOUND = statuses.CUDA_ERROR_NOT_FOUND[0];
const textureSlot = slotOf('CUtexref');
const surfaceSlot = slotOf('CUsurfref');

/** The texture and surface references of a module, as they are asked for. */
export class ModuleReferences {
  readonly #textures = new Map<string, TextureReference>();
  readonly #surfaces = new Map<string, SurfaceReference>();
  readonly #home: ReferenceHome;

  constructor(home: ReferenceHome) {
    this.#home = home;
  }

  texture(module: Opaque<'CUmodule'>, name: string): TextureReference {
    const known = this.#textures.get(name);
    if (known) return known;
    check('cuModuleGetTexRef', 'texture', name, () => attempt('cuModuleGetTexRef', textureSlot, module, name));
    const found = new TextureReference(MAKER, name, take(textureSlot), this.#home);
    this.#textures.set(name, found);
    return found;
  }

  surface(module: Opaque<'CUmodule'>, name: string): SurfaceReference {
    const known = this.#surfaces.get(name);
    if (known) return known;
    check('cuModuleGetSurfRef', 'surface', name, () => attempt('cuModuleGetSurfRef', surfaceSlot, module, name));
    const found = new SurfaceReference(MAKER, name, take(surfaceSlot), this.#home);
    this.#surfaces.set(name, found);
    return found;
  }
}

function check(
  routine: 'cuModuleGetTexRef' | 'cuModuleGetSurfRef',
  kind: 'texture' | 'surface',
  name: string,
  find: () => number,
): void {
  if (typeof name !== 'string') throw new TypeError(`A ${kind} reference's name must be a string, got ${nameOf(name)}`);
  const status = find();
  if (status === NOT_FOUND) {
    const reason = `The module has no ${kind} reference '${name}'; one in a namespace has its mangled name`;
    throw callError(routine, status, { reason });
  }
  if (status !== 0) throw callError(routine, status);
}
