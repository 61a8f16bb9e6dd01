/**
 * Call a function of the program's once a promise is settled, from the event loop: what it throws is nobody's to catch,
 * as with any callback of Node's.
 */
export function runLater(done: Promise<unknown>, callback: () => void): void {
  const call = (): void => {
    queueMicrotask(callback);
  };
  done.then(call, call);
}
