import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../helpers/root.ts';
import { type Job } from './job.ts';
import { Sequence, times } from './sequence.ts';
import { type Entry } from './ground.ts';
import { blameOf, describeError } from './classify.ts';
import { type Model } from './model.ts';
import { type Call } from './spec.ts';
import { collector } from './materialize.ts';

// One child: it makes calls, each written down before it is made, until it has made enough or dies.

const job = JSON.parse(process.argv[2] ?? '{}') as Job;
const log = openSync(job.log, 'a');
const gc = collector();
const TURNS = 12;

/** What was not told yet: the outcome of a call goes out with the next call. */
let pending = '';

function tell(line: string): void {
  pending += `${line}\n`;
}

function flush(): void {
  writeSync(log, pending);
  pending = '';
}

function fault(kind: 'U' | 'W', error: unknown): void {
  tell(`${kind} ${describeError(error)}`);
  flush();
}

process.setSourceMapsEnabled(false);
process.on('uncaughtException', (error) => {
  if (blameOf(error) !== 'mine') fault('U', error);
});
process.on('unhandledRejection', (error) => {
  if (blameOf(error) !== 'mine') fault('U', error);
});
process.on('warning', (warning) => {
  // Sequences drop what they made, and some functions warn of what they are asked for.
  const { code } = warning as { code?: string };
  if ((warning.name === 'GpuWarning' && code !== 'RAWKERNEL_CLEANUP') || warning.name === 'ExperimentalWarning') return;
  fault('W', warning);
});

const entry = (await import(pathToFileURL(join(root, 'dist', job.half, 'index.js')).href)) as Entry;
if (job.device === 'fake') await useFake();
const model = JSON.parse(readFileSync(job.model, 'utf8')) as Model;

if (job.replay) await replay(JSON.parse(readFileSync(job.replay, 'utf8')) as Call[]);
else await run();
for (const [name, ms] of times) tell(`M ${ms.toFixed(1)} ${name}`);
tell('E');
flush();
closeSync(log);
process.exit(0);

async function run(): Promise<void> {
  let made = 0;
  for (let number = job.first; made < job.calls; number++) {
    tell(`S ${number}`);
    const sequence = new Sequence(job, entry, model, number, tell, flush);
    made += await sequence.run(Math.min(job.perSequence, job.calls - made));
    await turns(TURNS);
    if (number % 8 === 7) {
      gc();
      await turns(TURNS);
    }
  }
  gc();
  await turns(TURNS);
}

async function replay(calls: readonly Call[]): Promise<void> {
  for (let from = 0; from < calls.length;) {
    const number = calls[from]?.sequence ?? 0;
    const own = calls.filter((call) => call.sequence === number);
    from += own.length;
    tell(`S ${number}`);
    await new Sequence(job, entry, model, number, tell, flush).replay(own);
    await turns(TURNS);
    gc();
    await turns(TURNS);
  }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function useFake(): Promise<void> {
  const select = pathToFileURL(join(root, 'dist/modules/nvml/select.js')).href;
  const { useNvml } = (await import(select)) as { readonly useNvml: (table: unknown) => void };
  const { fakeNvml } = await import('../helpers/fake-nvml.ts');
  useNvml(fakeNvml().table);
}
