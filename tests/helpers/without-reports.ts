import { afterAll, beforeAll, jest } from '@jest/globals';

/** Keep the reports of the checked mode off the terminal while the tests of this file run: they read them themselves. */
export function withoutReports(): void {
  const write = process.stderr.write.bind(process.stderr) as (text: unknown, ...rest: unknown[]) => boolean;
  let spy: { mockRestore: () => void } | undefined;
  beforeAll(() => {
    spy = jest
      .spyOn(process.stderr, 'write')
      .mockImplementation(
        (text: unknown, ...rest: unknown[]) =>
          (typeof text === 'string' && text.startsWith('rawkernel: ')) || write(text, ...rest),
      );
  });
  afterAll(() => spy?.mockRestore());
}
