import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of a random number that is used once. */
export const NONCE_BYTES = 32;
export const PROOF_BYTES = 32;

/**
 * Proof that one side of a connection knows the token, without sending it: HMAC-SHA-256 (RFC 2104) over both nonces. The
 * sides have different labels, so that one side's proof is not the other's.
 */
export function prove(
  token: string,
  side: 'client' | 'server',
  serverNonce: Uint8Array,
  clientNonce: Uint8Array,
): Buffer {
  return createHmac('sha256', token).update(`rawkernel store ${side}`).update(serverNonce).update(clientNonce).digest();
}

/** Compare proofs in constant time. */
export function isProof(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Shorter ones can be guessed by a patient program. */
export const MIN_TOKEN = 16;
