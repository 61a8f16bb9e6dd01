/** The last of the driver's own streams; they belong to the current context. */
export const PER_THREAD = 2n;

/** Whether a stream is one of the driver's own, which are those of the current context. */
export function isDefaultStream(raw: bigint): boolean {
  return raw <= PER_THREAD;
}
