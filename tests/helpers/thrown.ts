/** The class and the message of what a function throws, as a string shows them. A matcher compares the message alone. */
export function thrown(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  return 'nothing was thrown';
}
