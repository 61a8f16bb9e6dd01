import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEVICES, HALVES, type DeviceName, type HalfName } from './halves.ts';
import { type Job } from './job.ts';
import { launch } from './launch.ts';
import { minimise } from './minimise.ts';
import { readModel } from './model.ts';
import { showCall, type Call } from './spec.ts';
import { Tally, type Finding } from './tally.ts';

const { values } = parseArgs({
  options: {
    half: { type: 'string', multiple: true },
    device: { type: 'string', multiple: true },
    calls: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    /** Calls of a sequence, which has objects of its own. */
    sequence: { type: 'string', default: '100' },
    /** Calls of a child process. */
    batch: { type: 'string', default: '10000' },
    /** Where what was found is written. */
    out: { type: 'string' },
    /** Seconds without a call that are a hang. */
    hang: { type: 'string', default: '60' },
    /** Make the calls of what was found again. */
    replay: { type: 'string' },
    /** Find the fewest of its calls that show it. */
    minimise: { type: 'string' },
    internals: { type: 'boolean', default: false },
    'real-gpu': { type: 'boolean', default: false },
  },
});

const scratch = mkdtempSync(join(tmpdir(), 'rawkernel-fuzz-'));
const out = values.out ?? mkdtempSync(join(tmpdir(), 'rawkernel-fuzz-found-'));
const models = new Map<HalfName, string>();
mkdirSync(out, { recursive: true });

try {
  const again = values.replay ?? values.minimise;
  if (again !== undefined) await repeat(JSON.parse(readFileSync(again, 'utf8')) as Finding);
  else await fuzzAll();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function fuzzAll(): Promise<void> {
  const halves = (values.half ?? HALVES) as HalfName[];
  const devices = (values.device ?? ['embedded']) as DeviceName[];
  for (const half of halves) if (!HALVES.includes(half)) throw new TypeError(`--half is one of ${HALVES.join(', ')}`);
  for (const on of devices) if (!DEVICES.includes(on)) throw new TypeError(`--device is one of ${DEVICES.join(', ')}`);
  const rows = devices.flatMap((on) =>
    halves.flatMap((half) => deviceOf(half, on).map((real) => ({ half, on: real }))),
  );
  // NVML's fake is the same beside every device.
  const once = rows.filter(({ half, on }, at) => rows.findIndex((row) => row.half === half && row.on === on) === at);
  const tallies: Tally[] = [];
  for (const { half, on } of once) {
    const tally = await fuzz(half, on);
    console.log(tally.report());
    tallies.push(tally);
  }
  console.log(Tally.table(tallies));
  if (tallies.some(({ faults }) => faults > 0)) {
    console.log(`What was found is in ${out}: npm run fuzz -- --minimise FILE.json`);
    process.exitCode = 1;
  }
}

function deviceOf(half: HalfName, device: DeviceName): DeviceName[] {
  if (half === 'nvml' && device !== 'gpu') return ['fake'];
  return half === 'cuda' && device === 'pocl' ? [] : [device];
}

async function fuzz(half: HalfName, on: DeviceName): Promise<Tally> {
  const tally = new Tally(half, on, out, values.internals);
  const wanted = Number(values.calls);
  for (let child = 0, first = 0; tally.calls < wanted; child++) {
    const before = tally.calls;
    const calls = Math.min(Number(values.batch), wanted - before);
    const end = await run(jobOf(half, on, { first, calls, log: join(scratch, `${half}-${on}-${child}.log`) }), tally);
    first = end.last + 1;
    if (tally.calls === before) throw new Error(`a child made no call: ${end.stderr}`);
  }
  return tally;
}

async function run(job: Job, tally: Tally): Promise<{ readonly last: number; readonly stderr: string }> {
  const end = await launch(job, scratch, Number(values.hang) * 1000);
  const last = tally.read(job.log, end);
  rmSync(job.log);
  return { last, stderr: end.stderr };
}

function jobOf(half: HalfName, device: DeviceName, more: Partial<Job> & Pick<Job, 'log'>): Job {
  let model = models.get(half);
  if (model === undefined) {
    models.set(half, (model = join(scratch, `${half}.json`)));
    writeFileSync(model, JSON.stringify(readModel(half)));
  }
  const { internals, 'real-gpu': realGpu } = values;
  const counts = { seed: Number(values.seed), first: 0, calls: 0, perSequence: Number(values.sequence) };
  return { half, device, realGpu, internals, model, ...counts, ...more };
}

/** Make the calls of a finding again, and say whether it comes; or leave out whatever it comes without. */
async function repeat(finding: Finding): Promise<void> {
  let runs = 0;
  const shows = async (calls: readonly Call[]): Promise<boolean> => {
    const replay = join(scratch, `replay-${++runs}.json`);
    writeFileSync(replay, JSON.stringify(calls));
    const tally = new Tally(finding.half, finding.device, join(scratch, 'again'), false);
    await run(jobOf(finding.half, finding.device, { replay, log: join(scratch, `replay-${runs}.log`) }), tally);
    return tally.found(finding.kind);
  };
  const calls = values.minimise === undefined ? finding.calls : await minimise(finding.calls, shows);
  const came = values.minimise === undefined ? await shows(finding.calls) : calls !== undefined;
  console.log(came ? finding.title : `It did not come again: ${finding.title}`);
  console.log((calls ?? finding.calls).map(showCall).join('\n'));
  if (values.minimise !== undefined && calls) {
    console.log(`${calls.length} of ${finding.calls.length} calls, ${runs} runs`);
    writeFileSync(values.minimise.replace(/\.json$/, '.min.json'), JSON.stringify({ ...finding, calls }));
  }
  process.exitCode = came ? 1 : 0;
}
