import { join } from 'node:path';

/** The repository's root. */
export const root: string = join(import.meta.dirname, '..', '..');
