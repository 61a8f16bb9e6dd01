import { runInThisContext } from 'node:vm';

/** The process itself. The `process` of a jest test is a copy: it hears no warnings, and children do not inherit its env. */
export const realProcess: NodeJS.Process = runInThisContext('process') as NodeJS.Process;

const expected = new Map<string, Error[]>();
let unexpected: Error[] = [];

/** Let warnings of this code pass until the test ends. They arrive in the list, a turn of the event loop later. */
export function expectWarnings(code: string): readonly Error[] {
  const list: Error[] = [];
  expected.set(code, list);
  return list;
}

/** @internal For setup.ts: keep a warning if it is one of ours. */
export function collect(warning: Error & { readonly code?: string }): void {
  if (warning.name !== 'GpuWarning') return;
  (expected.get(warning.code ?? '') ?? unexpected).push(warning);
}

/** @internal For setup.ts: the warnings that nobody expected; and forget all that is expected. */
export function settle(): readonly Error[] {
  const rest = unexpected;
  unexpected = [];
  expected.clear();
  return rest;
}
