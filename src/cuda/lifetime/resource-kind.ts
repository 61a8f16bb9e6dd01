import { nameOf } from '../../core/check.ts';
import { handleOf, isResource, type Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';

/** A {@link Stream}, as a parameter of classes whose files lie under its own. */
export interface StreamLike extends Resource<Opaque<'CUstream'>> {
  /** The driver's `CUstream`. */
  readonly handle: Opaque<'CUstream'>;
}

/** An {@link Event}, as a parameter of classes whose files lie under its own. */
export interface EventLike extends Resource<Opaque<'CUevent'>> {
  /** The driver's `CUevent`. */
  readonly handle: Opaque<'CUevent'>;
}

/** The raw stream of an optional argument; without one NULL, the legacy default stream. */
export function streamOf(stream: unknown, method: string): Opaque<'CUstream'> {
  if (stream === null || stream === undefined) return NULL;
  return ofKind(stream, 'Stream', 'a Stream or null', method) as Opaque<'CUstream'>;
}

/** An event's handle. */
export function eventOf(event: unknown, method: string): Opaque<'CUevent'> {
  return ofKind(event, 'Event', 'an Event', method) as Opaque<'CUevent'>;
}

/** A graph's handle. */
export function graphOf(graph: unknown, method: string): Opaque<'CUgraph'> {
  return ofKind(graph, 'Graph', 'a Graph', method) as Opaque<'CUgraph'>;
}

/** The handle of a resource, by the kind of its record: another kind in its place would crash the driver. */
function ofKind(value: unknown, kind: string, wanted: string, method: string): unknown {
  const handle = isResource(value) ? handleOf(value, method) : undefined;
  if (handle?.kind !== kind) throw new TypeError(`${method} takes ${wanted}, got ${nameOf(value)}`);
  return handle.value;
}
