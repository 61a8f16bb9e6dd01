import type { CpuContext } from '../driver/objects.ts';
import { CommWord, newWords } from './comm-words.ts';
import type { Reduction } from './messages.ts';
import { Result } from './numbers.ts';

/** What a communicator is made with. */
export interface CommSetup {
  readonly handle: number;
  readonly context: CpuContext;
  /** The ordinal of its device. */
  readonly device: number;
  readonly blocking: boolean;
  /** Called when it is destroyed. */
  readonly ended?: () => void;
}

/** A communicator that is being made of another one. */
export interface Child {
  readonly words: Int32Array;
  /** Write its handle to where the program wants it. */
  readonly done: () => void;
}

/** A reduction of the program's own. */
export interface OwnReduction extends Reduction {
  readonly dtype: number;
}

/** A rank of the program, by its `ncclComm_t`. */
export class CpuComm {
  readonly handle: number;
  readonly context: CpuContext;
  readonly device: number;
  readonly blocking: boolean;
  readonly ended: (() => void) | undefined;
  readonly words: Int32Array<SharedArrayBuffer> = newWords(Result.IN_PROGRESS);
  readonly reductions: Map<number, OwnReduction> = new Map();
  /** Communicators that are being made of it: until then it is in progress, unless it blocks. */
  readonly children: Set<Child> = new Set();
  /** Registered buffers and windows, with their addresses. */
  readonly registered: Map<number, number> = new Map();
  /** The latest gate of its operations: they follow each other, on whichever streams they are. */
  lastGate: number | undefined;
  isFinalized = false;
  /** Calls that have enqueued operations. */
  launches = 0;

  constructor({ handle, context, device, blocking, ended }: CommSetup) {
    this.handle = handle;
    this.context = context;
    this.device = device;
    this.blocking = blocking;
    this.ended = ended;
  }

  get status(): number {
    return Atomics.load(this.words, CommWord.STATUS);
  }

  get rank(): number {
    return Atomics.load(this.words, CommWord.RANK);
  }

  get size(): number {
    return Atomics.load(this.words, CommWord.SIZE);
  }
}
