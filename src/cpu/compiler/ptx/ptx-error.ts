/** Something in a template that cannot be translated; the message is for the source's author. */
export class PtxError extends Error {
  override readonly name = 'PtxError';
}
