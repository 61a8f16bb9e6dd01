import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { BAD_OPTION, flagsOnStart, SERVER_FLAGS } from '../../../../src/cpu/compiler/server-flags.ts';

const start = (flags: readonly string[]): number | null =>
  spawnSync(process.execPath, [...flags, '--eval', '0'], { env: { ...process.env, NODE_OPTIONS: '' } }).status;

test("the compiler's process starts with flags that this Node.js has", () => {
  expect(start(flagsOnStart(process.versions))).toBe(0);
});

test('a Node.js that lacks a flag ends with the status on which the process starts without flags', () => {
  expect(start([...SERVER_FLAGS, '--no-such-flag'])).toBe(BAD_OPTION);
});

test('V8 gets the flag against inlining where it inlines, other runtimes get no flags', () => {
  const versions = (more: Readonly<Record<string, string>>): NodeJS.ProcessVersions => ({
    ...process.versions,
    ...more,
  });
  expect(flagsOnStart(versions({ v8: '12.4.254.21-node.33' }))).toEqual(SERVER_FLAGS);
  expect(flagsOnStart(versions({ v8: '13.6.233.17-node.48' }))).toEqual([...SERVER_FLAGS, '--no-wasm-inlining']);
  expect(flagsOnStart(versions({ bun: '1.4.5' }))).toEqual([]);
  expect(flagsOnStart(versions({ deno: '2.9.6' }))).toEqual([]);
});
