import { sourceNamed, type CpuSite } from '../abi/program.ts';
import { countsOnLockstep } from './lockstep.ts';
import { imageCure } from './image-report.ts';
import type { Subject } from './report-subject.ts';
import { FaultKind } from '../runtime/fault.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import type { DeviceMemory } from '../runtime/memory.ts';

const CHANGES = /(?:\+\+|--|(?:[-+|&^])=)(?!=)/;
const INTEGER = /^(?:const |volatile )*(?:unsigned |signed )?(?:int|uint|long|ulong|unsigned|long long)\b/;
const CUDA_ATOMICS: Readonly<Record<string, string>> = {
  ...{ '++': 'Add', '+=': 'Add', '--': 'Sub', '-=': 'Sub', '|=': 'Or', '&=': 'And', '^=': 'Xor' },
};

/** The fix of a mistake, in one line; undefined where the finding does not tell it. */
export function cureOf(
  finding: EngineFinding,
  subject: Subject,
  memory: DeviceMemory,
  opencl: boolean,
): string | undefined {
  const { kind, place } = finding;
  const { name, isNull } = subject;
  switch (kind) {
    case FaultKind.SHARED_RACE:
    case FaultKind.THREAD_RACE:
    case FaultKind.GLOBAL_RACE:
      return raceCure(finding, subject, opencl);
    case FaultKind.OUT_OF_BOUNDS:
    case FaultKind.INDEX:
      return boundCure(subject);
    case FaultKind.IMAGE:
      return imageCure(finding, memory);
    case FaultKind.PEER:
      return peerCure(finding);
    case FaultKind.NULL:
      return isNull === true ? `give the kernel memory for ${name}` : undefined;
    case FaultKind.USE_AFTER_FREE:
      return name === undefined ? undefined : `free ${name} after the last kernel that uses it`;
    case FaultKind.MISALIGNED:
      return place && place.size > 1
        ? `an address that is a multiple of ${Math.min(place.size, 16)}, or a copy byte by byte`
        : undefined;
    case FaultKind.UNINITIALIZED:
      return name === undefined ? undefined : `write ${name} before it is read`;
    case FaultKind.UNSET:
      return name === undefined ? undefined : `give ${name} a value where it is declared`;
    case FaultKind.SHIFT: {
      const bits = 8 * (place?.object?.bytes ?? 0);
      return bits > 0 ? `shift by 0 to ${bits - 1} bits` : undefined;
    }
    case FaultKind.END:
      return 'a return at the end of the function';
    case FaultKind.DIVERGENT_BARRIER:
    case FaultKind.SKIPPED_BARRIER: {
      const threads = opencl ? 'work-items of the work-group' : 'threads of the block';
      return `one ${barrier(opencl, finding)} that all ${threads} reach: outside of the if, and no return before it`;
    }
    case FaultKind.WARP_DEADLOCK:
      return opencl
        ? undefined
        : 'a mask that names only the threads that arrive, or as many arrivals as the cuda::barrier expects';
    default:
      return undefined;
  }
}

function peerCure({ peer }: EngineFinding): string | undefined {
  if (!peer) return undefined;
  const { of, memory, owner } = peer;
  if (owner === 'module')
    return `memory that cuMemAlloc() gives, or a copy: no other device reaches variables of a module, with peer access either`;
  if (owner === 'pool')
    return `pool.setAccess(device ${of}) for the pool of device ${memory}: enablePeerAccess() is not about pools`;
  return `enablePeerAccess(the context of device ${memory}) while that of device ${of} is current, before the launch; or memcpyPeer()`;
}

function barrier(opencl: boolean, { kind }: EngineFinding): string {
  if (!opencl) return '__syncthreads()';
  return `barrier(${kind === FaultKind.THREAD_RACE ? 'CLK_GLOBAL_MEM_FENCE' : 'CLK_LOCAL_MEM_FENCE'})`;
}

function raceCure(finding: EngineFinding, { shape, variable }: Subject, opencl: boolean): string | undefined {
  const { place, otherPlace, kind } = finding;
  const between = kind === FaultKind.GLOBAL_RACE;
  const sync = countsOnLockstep(finding) ? '__syncwarp()' : barrier(opencl, finding);
  if (!isOneStatement(finding)) {
    if (!between) return `${sync} between the two`;
    return `two launches: only the end of a kernel orders its ${opencl ? 'work-groups' : 'blocks'}`;
  }
  const change = CHANGES.exec(lineOf(finding))?.[0];
  if (change !== undefined) return atomic(change, elementType(finding, shape), opencl);
  if (isWrite(place) && isWrite(otherPlace)) {
    const one = opencl ? 'work-item' : 'thread';
    return `have one ${one} write ${variable ?? 'it'}`;
  }
  return between ? 'write the results to another array' : `read into a variable, then ${sync}, then write`;
}

function isOneStatement(finding: EngineFinding): boolean {
  const { place, otherPlace } = finding;
  if (!place || place.line !== otherPlace?.line || place.file !== otherPlace.file) return false;
  const columns = [place.column ?? 0, otherPlace.column ?? 0];
  return !lineOf(finding)
    .slice(Math.min(...columns), Math.max(...columns))
    .includes(';');
}

/** The atomic function for an operator, where the type has one. */
function atomic(operator: string, type: string | undefined, opencl: boolean): string | undefined {
  const name = CUDA_ATOMICS[operator];
  if (name === undefined || type === undefined) return undefined;
  if (INTEGER.test(type)) return opencl ? `atomic_${name.toLowerCase()}()` : `atomic${name}()`;
  if (opencl || !/^(?:float|double)$/.test(type)) return undefined;
  return name === 'Add' || name === 'Sub' ? 'atomicAdd()' : undefined;
}

function elementType({ place }: EngineFinding, shape: Subject['shape']): string | undefined {
  let at = shape;
  while (at?.element) at = at.element;
  return at && (place?.size === 0 || at.bytes === place?.size) ? at.type : undefined;
}

function isWrite(place: CpuSite | undefined): boolean {
  return place?.kind === 'write';
}

function lineOf({ program, place }: EngineFinding): string {
  const { source = '' } = sourceNamed(program, place?.file) ?? {};
  return source.split('\n')[(place?.line ?? 0) - 1] ?? '';
}

/** A guard is a cure where an index runs over the end, or before the start. */
function boundCure({ count, index }: Subject): string | undefined {
  if (count === undefined || index === undefined) return undefined;
  if (index < 0) return 'if (i >= 0) before it, for an index i';
  return index >= count ? `if (i < ${count}) before it, for an index i` : undefined;
}
