import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { changedSources } from './helpers/build-record.js';

// Runs the tests that what has changed can reach: `npm run test:changed`, or `npm run test:changed -- main` for all
// since a commit. Imports tell jest of most; built code, kernels and texts reach tests without one.
const root = join(import.meta.dirname, '..');
const JEST = ['--experimental-vm-modules', '--expose-gc', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const [since = 'HEAD', ...options] = process.argv.slice(2);

const changed = [
  ...lines('git', ['diff', '--name-only', '--relative', '--merge-base', since]),
  ...lines('git', ['ls-files', '--others', '--exclude-standard']),
];
const files = readdirSync(join(root, 'tests'), { recursive: true })
  .map((file) => join('tests', file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.test.ts'));

const tests = new Set(related(changed.filter((file) => /\.[jt]s$/.test(file) && existsSync(join(root, file)))));
for (const file of files.filter((test) => changed.some((one) => reaches(one, test)))) tests.add(file);

process.stderr.write(
  `${changed.length} files have changed, which reach ${tests.size} of ${files.length} files of tests\n`,
);
if (tests.size > 0) {
  const isBuilt = [...tests].some((test) => runsBuild(test) || runsDevice(test));
  if (isBuilt && changedSources().all.length > 0) run('npm', ['run', '--silent', 'build']);
  run(process.execPath, [...JEST, ...options, '--runTestsByPath', ...tests]);
}

/** What a changed file reaches without an import. */
function reaches(file, test) {
  if (/^(?:package(?:-lock)?\.json|tsconfig.*\.json|rollup\.config\.js)$|^tests\/helpers\/[\w-]+\.js$/.test(file))
    return true;
  if (file.startsWith('src/') && runsBuild(test)) return true;
  if (/^(?:src\/(?:core|cpu|ffi)|kernels\/cpu)\//.test(file) && runsDevice(test)) return true;
  if (file.startsWith('kernels/') && runsBuild(test)) return true;
  if (file.startsWith('examples/') && test.startsWith('tests/examples/')) return true;
  return /\.md$|^(?:\.github|docs|src|examples)\//.test(file) && /^tests\/(?:api|docs)\//.test(test);
}

/** Whether a test starts processes that run the built package. */
function runsBuild(test) {
  return /needs\.build|runBuilt|^tests\/(?:api|docs|examples)/m.test(textOf(test)) || /^tests\/examples/.test(test);
}

/** Whether a test runs kernels on the embedded device, whose code is loaded when it is wanted. */
function runsDevice(test) {
  return /^tests\/(?:conformance|device|leaks|unit\/cpu)\//.test(test);
}

function textOf(test) {
  return readFileSync(join(root, test), 'utf8');
}

function related(paths) {
  if (paths.length === 0) return [];
  return lines(process.execPath, [...JEST, '--listTests', '--findRelatedTests', ...paths]).map((path) =>
    relative(root, path).replaceAll('\\', '/'),
  );
}

function lines(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: command === 'npm' });
  if (status !== 0) process.exit(status ?? 1);
}
