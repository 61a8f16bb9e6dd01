/**
 * Handles of the embedded platform are numbers in a range in which no system has addresses: above what 52 bits can say,
 * below what a number holds exactly. So they are never taken for the handles of an installed implementation.
 */
export const FIRST_EMBEDDED = 0x1c_0000_0000_0000;
const END = 0x20_0000_0000_0000;
const MIN_HANDLE: bigint = BigInt(FIRST_EMBEDDED);
const HANDLE_LIMIT: bigint = BigInt(END);

/** The handle of the platform itself. */
export const EMBEDDED_PLATFORM: bigint = MIN_HANDLE;

/** Whether a handle is one of the embedded platform's objects, alive or not. */
export function isEmbeddedHandle(handle: bigint): boolean {
  return handle >= MIN_HANDLE && handle < HANDLE_LIMIT;
}
