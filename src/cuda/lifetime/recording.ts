import { attempt, cleanup, cu } from '../call.ts';
import { captureEnded, recording } from '../captures.ts';
import { Handle, type AnyHandle } from '../../core/handle.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { partOf } from './memory-part.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

/** What keeps something alive for a graph: what has to happen at the end, and the handles that it uses. */
export type Use = Handle<readonly unknown[]>;

interface Recording {
  readonly handles: Set<AnyHandle>;
  /** Runs when the last graph of the capture is gone. */
  readonly ends: (() => void)[];
}

const slot = slotOf('CUgraph');
const recordings = new Map<bigint, Recording>();

/** Note from now on what is used, for the graph of a stream's capture. */
export function startRecording(stream: bigint): void {
  recordings.set(stream, { handles: new Set(), ends: [] });
  recording.active = recordings.size;
}

/** End the capture of a stream: its graph, and what that uses. */
export function finishCapture(stream: Opaque<'CUstream'>): {
  readonly graph: Opaque<'CUgraph'>;
  readonly use: Use | undefined;
} {
  const use = endRecording(stream);
  slot[0] = 0n;
  try {
    cu.cuStreamEndCapture(stream, slot);
  } catch (error) {
    use?.release();
    throw error;
  } finally {
    captureEnded();
  }
  return { graph: take(slot), use };
}

/** What was used since; undefined where no recording was begun. */
function endRecording(stream: bigint): Use | undefined {
  const found = recordings.get(stream);
  if (!found) return undefined;
  recordings.delete(stream);
  recording.active = recordings.size;
  const { handles, ends } = found;
  const use = useOf('captured work', [...handles], ends, () => {
    for (const end of ends) end();
  });
  for (const handle of handles) handle.release();
  return use;
}

/**
 * Give up the capture of a stream that goes; nothing where none was begun. A driver that destroys a stream in its capture
 * takes the capture for open ever after: it refuses allocations, and may crash where it waits for the context.
 */
export function abandonRecording(stream: Opaque<'CUstream'>): void {
  const use = endRecording(stream);
  if (!use) return;
  slot[0] = 0n;
  // It fails where the capture is broken, and has ended then.
  attempt('cuStreamEndCapture', stream, slot);
  if (take(slot) !== 0n) cleanup('cuGraphDestroy', take(slot));
  use.release();
  captureEnded();
}

/** Keep for every graph that is being captured what a call uses. */
export function noteUses(values: readonly unknown[]): void {
  for (const value of values) noteUse(value);
}

/** {@link noteUses} for one value. */
export function noteUse(value: unknown): void {
  const owner = value instanceof Handle ? (value as AnyHandle) : ownerOf(value, 'capture');
  if (owner) keep(owner);
}

function keep(owner: AnyHandle): void {
  for (const { handles } of recordings.values()) {
    if (handles.has(owner)) continue;
    owner.retain();
    handles.add(owner);
  }
}

/** Put something off until the graphs that are being captured are gone. False where none is. */
export function noteEnd(end: () => void): boolean {
  const [first, ...others] = recordings.values();
  if (!first) return false;
  first.ends.push(end);
  // The others keep it from ending, by its place in their lists.
  for (const { ends } of others) ends.push(() => undefined);
  return true;
}

/** The record that owns a value: of a resource, or of what it is a part of. */
export function ownerOf(value: unknown, method: string): AnyHandle | undefined {
  if (value instanceof Resource) return handleOf(value as Resource<unknown>, method);
  if (typeof value !== 'object' || value === null) return undefined;
  const base = partOf(value);
  if (typeof base !== 'object' || base === null) return undefined;
  // A variable's module is behind it.
  const { owner } = base as { readonly owner?: unknown };
  return owner instanceof Handle ? (owner as AnyHandle) : ownerOf(base, method);
}

/** One record for several: it retains the handles, and `kept` stays referenced. */
export function useOf(
  kind: string,
  handles: readonly AnyHandle[],
  kept: readonly unknown[],
  end: () => void = () => undefined,
): Use {
  return new Handle<readonly unknown[]>(kind, kept, end, handles);
}

/** What the nodes of a graph use, by their handles. */
export class Uses {
  readonly #byNode = new Map<bigint, Use>();

  /** Say what a node uses, in the place of what it used before. */
  set(node: bigint, use: Use): void {
    const before = this.#byNode.get(node);
    this.#byNode.set(node, use);
    before?.release();
  }

  /** Share what another graph uses, in the place of all that was used before. */
  share(other: Uses): void {
    const shared = [...other.#byNode].map(([node, use]) => [node, use.retain()] as const);
    this.release();
    for (const [node, use] of shared) this.#byNode.set(node, use);
  }

  /** All of them. */
  get all(): readonly Use[] {
    return [...this.#byNode.values()];
  }

  /** Whether host memory is among what is used: a copy may still run when the last reference goes. */
  get hasHost(): boolean {
    for (const use of this.#byNode.values()) if (use.value.length > 0) return true;
    return false;
  }

  delete(node: bigint): void {
    this.#byNode.get(node)?.release();
    this.#byNode.delete(node);
  }

  release(): void {
    for (const use of this.#byNode.values()) use.release();
    this.#byNode.clear();
  }
}
