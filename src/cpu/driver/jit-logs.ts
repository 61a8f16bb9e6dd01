import { JitOption } from '../../cuda/sys/enums.ts';
import { viewOf } from '../../ffi/memory.ts';
import { bytesAt, putText, type Out } from '../abi/out.ts';

/** CUDA knows fewer. */
const MAX_OPTIONS = 256;

interface JitLog {
  readonly at: Out;
  readonly room: number;
}

/** The log buffers among the options of a load or a link; undefined for a list that cannot be right. */
export function jitLogs(count: number, options: Out, values: Out): JitLogs | undefined {
  const isList = count === 0 || (options !== 0n && values !== 0n);
  return count > MAX_OPTIONS || !isList ? undefined : new JitLogs(logsAmong(count, options, values));
}

/** Buffers for what a load or a link says; empty at first. */
export class JitLogs {
  readonly #logs: ReadonlyMap<number, JitLog>;

  constructor(logs: ReadonlyMap<number, JitLog>) {
    this.#logs = logs;
    for (const { at, room } of logs.values()) putText(at, '', room);
  }

  error(text: string): void {
    this.#write(JitOption.ERROR_LOG_BUFFER, text);
  }

  info(text: string): void {
    this.#write(JitOption.INFO_LOG_BUFFER, text);
  }

  #write(kind: number, text: string): void {
    const log = this.#logs.get(kind);
    if (log) putText(log.at, text, log.room);
  }
}

function logsAmong(count: number, options: Out, values: Out): Map<number, JitLog> {
  const logs = new Map<number, JitLog>();
  if (count === 0) return logs;
  const optionBytes = bytesAt(options, 4 * count);
  const valueBytes = bytesAt(values, 8 * count);
  const kinds = new DataView(optionBytes.buffer, optionBytes.byteOffset, 4 * count);
  const words = new DataView(valueBytes.buffer, valueBytes.byteOffset, 8 * count);
  const given = new Map<number, bigint>();
  for (let i = 0; i < count; i++) given.set(kinds.getInt32(4 * i, true), words.getBigUint64(8 * i, true));
  for (const [buffer, size] of [
    [JitOption.INFO_LOG_BUFFER, JitOption.INFO_LOG_BUFFER_SIZE_BYTES],
    [JitOption.ERROR_LOG_BUFFER, JitOption.ERROR_LOG_BUFFER_SIZE_BYTES],
  ] as const) {
    const address = given.get(buffer) ?? 0n;
    const room = Number(given.get(size) ?? 0n);
    if (address !== 0n && room > 0) logs.set(buffer, { at: new Uint8Array(viewOf(address, room)), room });
  }
  return logs;
}
