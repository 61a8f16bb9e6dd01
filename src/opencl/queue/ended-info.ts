import { readInfo, type InfoKind, type InfoQuery, type InfoValue } from '../info.ts';
import { EventInfo } from '../sys/enums.ts';

/** The facts about a command that has ended. */
export interface EndedCommand {
  /** 0n for a user event. */
  readonly queue: bigint;
  readonly context: bigint;
  readonly type: number;
  readonly status: number;
}

/**
 * Answer a query of an event whose native event is released.
 *
 * @throws Error a property that only the driver knew
 */
export function endedInfo(
  { queue, context, type, status }: EndedCommand,
  name: string | number,
  kind: InfoKind | undefined,
): InfoValue {
  const answer: InfoQuery = (param, _room, out, size) => {
    const bytes = bytesOf(param);
    if (typeof size !== 'bigint') size[0] = BigInt(bytes.length);
    if (typeof out !== 'bigint') out.set(bytes);
  };
  const bytesOf = (param: number): Uint8Array => {
    switch (param) {
      case EventInfo.COMMAND_QUEUE[0]:
        return new Uint8Array(BigUint64Array.of(queue).buffer);
      case EventInfo.CONTEXT[0]:
        return new Uint8Array(BigUint64Array.of(context).buffer);
      case EventInfo.COMMAND_TYPE[0]:
        return new Uint8Array(Uint32Array.of(type).buffer);
      case EventInfo.COMMAND_EXECUTION_STATUS[0]:
        return new Uint8Array(Int32Array.of(status).buffer);
      default:
        throw new Error(
          'Event.getInfo: the command has ended and the driver no longer knows the event; ask before the command ends',
        );
    }
  };
  return readInfo(EventInfo, answer, name, kind, 'Event');
}
