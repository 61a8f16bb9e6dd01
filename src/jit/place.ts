import type { Origin } from './tree.ts';

/** Where a function of the package is called from: the file, the line from 1, the column from 0. */
export function placeOfCall(callee: (...args: never[]) => unknown): Origin['place'] {
  const prepare = Error.prepareStackTrace;
  try {
    Error.prepareStackTrace = (_, sites) => sites;
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, callee);
    const [site] = holder.stack as readonly NodeJS.CallSite[];
    const [file, line, column] = [site?.getFileName(), site?.getLineNumber(), site?.getColumnNumber()];
    if (typeof file !== 'string' || typeof line !== 'number' || typeof column !== 'number') return undefined;
    return { file: file.replace(/^file:\/\//, ''), line, column: column - 1 };
  } catch {
    return undefined;
  } finally {
    Error.prepareStackTrace = prepare;
  }
}
