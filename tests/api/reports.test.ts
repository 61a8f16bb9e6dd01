import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../helpers/root.ts';
import { entriesOf, isSummary } from './entries.ts';

test('each entry has a report in api/, and no other file is there', () => {
  const reports = entriesOf(root).map(({ report }) => report);
  expect(reports).toEqual(expect.arrayContaining(['index.api.md', 'cuda.api.md', 'cuda-sys.api.md']));
  expect(readdirSync(join(root, 'api')).sort()).toEqual(reports.sort());
});

test('an entry that only has namespaces of other entries is told from one with declarations', () => {
  const namespaces = "export * as cuda from './cuda/index.ts';\nexport * as nvml from './nvml/index.ts';\n";
  expect(isSummary(`${namespaces}//# sourceMappingURL=index.d.ts.map`)).toBe(true);
  expect(isSummary(`${namespaces}export declare const version: string;\n`)).toBe(false);
  expect(isSummary("export * as cuda from 'elsewhere';\n")).toBe(false);
  expect(isSummary('')).toBe(false);
});
