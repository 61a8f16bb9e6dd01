/** The sources that have changed since the build. */
export interface ChangedSources {
  readonly all: string[];
  /** Those that the embedded device's workers run. */
  readonly workers: string[];
}
export function changedSources(folder?: string): ChangedSources;
export function staleness(changed: readonly string[]): string | undefined;
export function moduleFile(name: string, folder?: string): string;
export function beginBuild(folder?: string): void;
export function endBuild(folder?: string): void;
export function compiledFolder(folder?: string): string;
export function removeStale(made: readonly string[], folder?: string): string[];
