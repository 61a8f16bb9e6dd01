/** Words that the program's thread and the progress thread share about a communicator, all access by Atomics. */
export const CommWord = {
  /** Its asynchronous result; a thread that waits sleeps here while it says so. */
  STATUS: 0,
  RANK: 1,
  SIZE: 2,
  /** Rises when the progress thread has done what a message asked for. */
  ANSWERS: 3,
  /** The bytes of the text about the last error. */
  TEXT: 4,
  /** The port of the listener, for a new id. */
  PORT: 5,
} as const;

const TEXT_AT = 32;
const TEXT_BYTES = 480;

/** New words, with a status. */
export function newWords(status: number): Int32Array<SharedArrayBuffer> {
  const words = new Int32Array(new SharedArrayBuffer(TEXT_AT + TEXT_BYTES));
  words[CommWord.STATUS] = status;
  return words;
}

/** Set the status, and wake the thread that waits for it. */
export function setStatus(words: Int32Array, status: number, text = ''): void {
  if (text !== '') writeText(words, text);
  Atomics.store(words, CommWord.STATUS, status);
  Atomics.notify(words, CommWord.STATUS);
}

/** Tell the other thread that a message has been answered. */
export function answer(words: Int32Array): void {
  Atomics.add(words, CommWord.ANSWERS, 1);
  Atomics.notify(words, CommWord.ANSWERS);
}

function writeText(words: Int32Array, text: string): void {
  const bytes = new TextEncoder().encode(text).subarray(0, TEXT_BYTES);
  new Uint8Array(words.buffer, TEXT_AT, TEXT_BYTES).set(bytes);
  Atomics.store(words, CommWord.TEXT, bytes.length);
}

/** What the progress thread has said about the last error. */
export function textOf(words: Int32Array): string {
  const length = Atomics.load(words, CommWord.TEXT);
  return new TextDecoder().decode(new Uint8Array(words.buffer, TEXT_AT, length).slice());
}
