import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// What .ci/windows runs on Windows' Node.js under Wine: prints jest's arguments, a line each, and on stderr what is left out.

/** What may be another thing on Windows: files, processes, libraries, terminals, compilers, and both halves on the device. */
const FOLDERS = [
  'tests/unit/core',
  'tests/unit/ffi',
  'tests/unit/cli',
  'tests/unit/nvml',
  'tests/unit/cpu/(compiler/(headers|messages|node-options|program)|opencl/(cache|compiler))',
  'tests/unit/cuda/(fallback|device|module)',
  'tests/unit/opencl/(embedded|errors|merge)',
  'tests/device/cuda',
  'tests/device/opencl',
];

/** What Wine cannot do, or a whole file where `test` is missing. It is not known to fail on Windows. */
const LEFT_OUT = [
  { file: 'tests/device/opencl/capture-call.test.ts', reason: 'Wine 8 makes no junctions' },
  { file: 'tests/unit/cli/bin.test.ts', test: 'starts, by a link too', reason: 'Wine 8 makes no links' },
  {
    file: 'tests/unit/ffi/library.test.ts',
    test: 'openLibrary() opens what it finds in a folder',
    reason: "a copy of one of Wine's own libraries does not load",
  },
];

const given = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');
for (const { file, test, reason } of LEFT_OUT) {
  // One that was renamed would be run, or another one left out.
  if (!readFileSync(join(root, file), 'utf8').includes(test ?? '')) throw new Error(`${file} has no test '${test}'`);
  process.stderr.write(`Left out: ${file}${test === undefined ? '' : `: ${test}`} (${reason})\n`);
}
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const names = LEFT_OUT.flatMap(({ test }) => (test === undefined ? [] : [escaped(test)]));
const files = LEFT_OUT.flatMap(({ file, test }) => (test === undefined ? [file] : []));
const lines = [
  ...['-w', '2', '--no-color', `--testNamePattern=^(?!.*(?:${names.join('|')})$)`],
  ...files.map((file) => `--testPathIgnorePatterns=${file.split('/').map(escaped).join('[\\\\/]')}`),
  '--',
  ...(given.length > 0 ? given : FOLDERS),
];
process.stdout.write(`${lines.join('\n')}\n`);
