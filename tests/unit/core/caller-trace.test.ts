import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../../helpers/root.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rawkernel-caller-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program prints that is TypeScript until it runs; its call stands in line 9, and the types before it are lines less then. */
function placeIn(before: string): string {
  const file = join(folder, 'program.mts');
  writeFileSync(
    file,
    `import { callerTrace, hostPlace, type HostTrace } from '${pathToFileURL(join(root, 'src/core/host-place.ts')).href}';
interface Gone {
  readonly a: number;
  readonly b: number;
}
${before}
class Library { public call(): HostTrace { return callerTrace(Library.prototype.call); } }
function program(): HostTrace {
  return new Library().call();
}
console.log(hostPlace(program()), Error.prepareStackTrace === undefined ? '' : Error.prepareStackTrace.name);
`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file], { cwd: root, encoding: 'utf8' });
  return stdout.trim() + stderr.trim();
}

test('the caller is named by its line in the source', () => {
  expect(placeIn('')).toMatch(/program\.mts:9 (ErrorPrepareStackTrace)?$/);
});

test('what a tool does with traces is asked, and stays', () => {
  const tool = `Error.prepareStackTrace = function tool(error) { return '    at file:///else/where.ts:7:1'; };`;
  expect(placeIn(tool)).toBe('/else/where.ts:7 tool');
});
