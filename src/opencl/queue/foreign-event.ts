import { holdUntil } from '../../core/in-flight.ts';
import { MAKER } from '../../core/maker.ts';
import { handleOf } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { checkForeignContext, foreignHandle, type ForeignOptions } from '../foreign.ts';
import { readInfo } from '../info.ts';
import { EventInfo } from '../sys/enums.ts';
import { Event } from './event.ts';

/**
 * Use an event that another library has made, by its `cl_event`: to wait for it, and to have commands wait for it. Its profile
 * is not known here. Where it is a user event, only the other library can set it, and a wait that blocks may never end.
 *
 * @param context - the event's
 * @param handle - used as it is: a wrong handle ends the process
 * @param options - whether the event takes a reference of its own, which it holds until the command has ended
 * @throws TypeError it belongs to another context
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainEvent.html | clRetainEvent}
 */
export function eventFromHandle(context: Context, handle: Opaque<'cl_event'>, options: ForeignOptions = {}): Event {
  const what = 'eventFromHandle';
  checkContext(context, what);
  const raw = foreignHandle(handle, options, what);
  handleOf(context, what);
  const query = cl.clGetEventInfo.bind(undefined, raw);
  checkForeignContext(readInfo(EventInfo, query, 'CONTEXT', undefined, 'Event'), context, what);
  if (options.retain !== false) cl.clRetainEvent(raw);
  const event = new Event(MAKER, raw, context.identity, undefined);
  // It is in no queue's list, which would release it.
  holdUntil(
    () => event.settle(),
    () => undefined,
  );
  return event;
}
