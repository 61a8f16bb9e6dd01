// compute-sanitizer beside the checked mode, over kernels with one mistake each, on a GPU:
//   npm run test:sanitizer [-- options] [NAMES]
//   --all              every kernel, each by the tool that looks for its kind; without it, those that both find
//   --jobs N           so many at once (4)
//   --sanitizer PATH   the program, where it is neither on the PATH nor in the toolkit
//   --out FOLDER       what each tool printed
// It fails where a tool does not report a kernel that both are known to find.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { toolkits } from '../../../src/cuda/toolkit.ts';
import { root } from '../../helpers/root.ts';
import { broken } from '../cpu/broken/all.ts';
import { markedLines, type BrokenKernel } from '../cpu/broken/broken-kernel.ts';
import { both } from './both.ts';
import { NOT_RUN, REPORTED } from './not-run.ts';
import { table, totals, type Row } from './table.ts';
import { readOutput, toolOf, type Tool } from './tools.ts';

const { values, positionals: names } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '4' },
    sanitizer: { type: 'string' },
    out: { type: 'string' },
  },
  allowPositionals: true,
});

/** A kernel may wait for ever. */
const LIMIT_MS = 60_000;

const sanitizer = values.sanitizer ?? find();
if (sanitizer === undefined) console.log('skipped: compute-sanitizer is not installed');
else await compare(sanitizer);

function find(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'compute-sanitizer'));
  const inToolkits = toolkits().flatMap((home) => [
    join(home, 'bin', 'compute-sanitizer'),
    join(home, 'compute-sanitizer', 'compute-sanitizer'),
  ]);
  return [...onPath, ...inToolkits].find((path) => existsSync(path));
}

async function compare(program: string): Promise<void> {
  const wanted = wantedKernels();
  if (values.out !== undefined) mkdirSync(values.out, { recursive: true });
  const rows: Row[] = [];
  const left = wanted.entries();
  const work = async (): Promise<void> => {
    for (const [i, one] of left) {
      const row = await look(program, one);
      rows[i] = row;
      console.error(`${one.name}: ${row.said.report ?? row.problem ?? row.said.rest ?? 'nothing'}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  console.log(table(rows));
  console.log(totals(rows));
  const missed = rows.filter(({ one, said }) => both.includes(one.name) && said.report === undefined);
  const notRun = rows.filter(({ problem }) => problem?.startsWith('not run') === true);
  for (const { one, problem } of notRun) console.log(`${one.name}: ${problem ?? ''}`);
  if (missed.length > 0)
    console.log(`not reported by compute-sanitizer: ${missed.map(({ one }) => one.name).join(', ')}`);
  process.exitCode = missed.length + notRun.length > 0 ? 1 : 0;
}

function wantedKernels(): BrokenKernel[] {
  const wanted = names.length > 0 ? names : values.all ? broken.map(({ name }) => name) : both;
  return wanted.map((name) => {
    const one = broken.find((kernel) => kernel.name === name);
    if (!one) throw new RangeError(`The name of a kernel must be one of tests/conformance/cpu/broken, got ${name}`);
    return one;
  });
}

/** Run one kernel under the tool that looks for its mistake. */
async function look(program: string, one: BrokenKernel): Promise<Row> {
  const tool = toolOf[one.finding];
  const { code, output, late } = await runUnder(program, tool, one.name);
  if (values.out !== undefined) writeFileSync(join(values.out, `${one.name}.txt`), output);
  const problem = late
    ? `no end within ${LIMIT_MS / 1000} s`
    : code === 0 || code === REPORTED
      ? undefined
      : `${code === NOT_RUN ? 'not run' : 'ended'}, exit code ${code ?? 'none'}: ${output.trim().split('\n').at(-1) ?? ''}`;
  return { one, tool, ours: markedLines(one), said: readOutput(tool, output), problem };
}

function runUnder(
  program: string,
  tool: Tool,
  name: string,
): Promise<{ readonly code: number | null; readonly output: string; readonly late: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      program,
      [
        ...['--tool', tool, '--error-exitcode', String(REPORTED), '--target-processes', 'application-only'],
        ...(tool === 'memcheck' ? ['--report-api-errors', 'no'] : []),
        ...['--show-backtrace', 'no', '--print-limit', '10'],
        ...[process.execPath, '--import', 'tsx', join(import.meta.dirname, 'child.ts'), name],
      ],
      // A group of its own: what waits for ever is ended with all its processes.
      {
        cwd: root,
        env: { ...process.env, RAWKERNEL_DEVICE: 'gpu' },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    let late = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, LIMIT_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output, late });
    });
  });
}
