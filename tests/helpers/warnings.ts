const expected = new Map<string, Error[]>();
let unexpected: Error[] = [];

/** Let warnings of this code pass until the test ends. They arrive in the list. */
export function expectWarnings(code: string): readonly Error[] {
  const list: Error[] = [];
  expected.set(code, list);
  return list;
}

/**
 * @internal For setup.ts: keep the warnings of this file. Those of a file that ran before it in this worker, whose objects
 * are collected only now, come from another copy of `process`.
 */
export function collectWarnings(): void {
  const emit = process.emitWarning.bind(process) as (text: string, options: NodeJS.EmitWarningOptions) => void;
  process.emitWarning = ((text: string, options: NodeJS.EmitWarningOptions = {}) => {
    emit(text, options);
    if (options.type !== 'GpuWarning') return;
    const warning = Object.assign(new Error(text), { name: options.type, code: options.code });
    (expected.get(options.code ?? '') ?? unexpected).push(warning);
  }) as typeof process.emitWarning;
}

/** @internal For setup.ts: the warnings that nobody expected; and forget all that is expected. */
export function settle(): readonly Error[] {
  const rest = unexpected;
  unexpected = [];
  expected.clear();
  return rest;
}
