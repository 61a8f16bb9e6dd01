type Query = () => boolean;

interface Waiter {
  readonly query: Query;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const EAGER_TURNS = 200;
const MAX_DELAY_MS = 4;

const waiters = new Set<Waiter>();
let turns = 0;
let scheduled = false;

/**
 * A promise of the moment at which `query` says true. All pending queries share one poller: it asks on every turn of
 * the event loop at first and backs off to a timer, and it keeps the process alive until the last has been answered.
 * No JavaScript function is ever given to a driver: its worker would wait for us while we wait for it.
 */
export function whenDone(query: Query): Promise<void> {
  return new Promise((resolve, reject) => {
    waiters.add({ query, resolve, reject });
    turns = 0;
    schedule();
  });
}

function schedule(): void {
  if (scheduled || waiters.size === 0) return;
  scheduled = true;
  if (turns < EAGER_TURNS) setImmediate(poll);
  else setTimeout(poll, Math.min(MAX_DELAY_MS, 1 + (turns - EAGER_TURNS) / 100));
}

function poll(): void {
  scheduled = false;
  turns++;
  // Those that come meanwhile have the next turn.
  for (const waiter of [...waiters]) {
    try {
      if (!waiter.query()) continue;
      waiter.resolve();
    } catch (error) {
      waiter.reject(error as Error);
    }
    waiters.delete(waiter);
    turns = 0;
  }
  schedule();
}
