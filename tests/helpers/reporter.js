import { relative } from 'node:path';

const MARKS = { passed: '✓', failed: '✕' };

/** A line for each file when it ends: which of how many, how long it took; what failed in it follows at once. */
// eslint-disable-next-line no-restricted-syntax -- jest asks for it
export default class FileReporter {
  #config;
  #ended = 0;

  constructor(config) {
    this.#config = config;
  }

  onTestResult(test, result, { numTotalTestSuites: total }) {
    const { rootDir, verbose = total === 1 } = this.#config;
    const name = relative(test.context?.config.rootDir ?? rootDir, test.path);
    const { start, end } = result.perfStats;
    const outcome = result.failureMessage ? 'FAIL' : result.skipped ? 'SKIP' : 'PASS';
    const count = String(++this.#ended).padStart(String(total).length);
    const lines = [`${outcome} [${count}/${total}] ${name} (${((end - start) / 1000).toFixed(1)} s)`];
    if (verbose) {
      for (const { status, fullName, duration } of result.testResults) {
        lines.push(`  ${MARKS[status] ?? '○'} ${fullName}${duration > 5 ? ` (${Math.round(duration)} ms)` : ''}`);
      }
    }
    if (result.failureMessage) lines.push(result.failureMessage);
    for (const { message, type } of result.console ?? []) lines.push(`  console.${type}: ${message}`);
    process.stderr.write(`${lines.join('\n')}\n`);
  }
}
