/**
 * Call a function of the program once a promise is settled, from the event loop: no code can catch its errors, as with any
 * callback of Node.
 */
export function runLater(done: Promise<unknown>, callback: () => void): void {
  const call = (): void => {
    queueMicrotask(callback);
  };
  done.then(call, call);
}
