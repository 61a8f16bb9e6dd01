import { describe, expect, test } from '@jest/globals';
import { isAlive, Launched, launched, programOf } from '../../helpers/launched.ts';
import { until } from '../../helpers/until.ts';

/** A rank that goes on until it is ended. */
const STAYS = 'setInterval(() => undefined, 1000);';
/** Another process of the rank's, with its number on stdout. */
const CHILD = `
  import { spawn } from 'node:child_process';
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' });
  console.log('child ' + child.pid + ' of ' + process.pid);
`;

async function allGone(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  await until(`${pids.join(', ')} have ended`, () => !pids.some(isAlive));
}

describe('ranks', () => {
  test('have torchrun’s variables, the environment as it is, and their arguments', async () => {
    const names = ['RANK', 'WORLD_SIZE', 'LOCAL_RANK', 'LOCAL_WORLD_SIZE', 'MASTER_ADDR', 'RAWKERNEL_JOB_STORE'];
    const program = programOf(`
      const { env, argv } = process;
      console.log(${JSON.stringify(names)}.map((name) => env[name]).join());
      console.log(env.NCCL_NVLS_ENABLE, env.CUDA_VISIBLE_DEVICES, env.EMPTY === '', env.RAWKERNEL_JOB_TOKEN.length);
      console.log(JSON.stringify(argv.slice(2)));
    `);
    const args = ['--json', '-n', '9', '--help', 'a b'];
    const launch = await launched(['--devices', '5,GPU-1', program, ...args], { NCCL_NVLS_ENABLE: '0', EMPTY: '' });
    const { code, stderr } = launch;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const rank of [0, 1]) {
      expect(launch.linesOf(rank)).toEqual([
        `${rank},2,${rank},2,127.0.0.1,launcher`,
        '0 5,GPU-1 true 64',
        JSON.stringify(args),
      ]);
    }
  });

  test('a token of the user stays', async () => {
    const program = programOf('console.log(process.env.RAWKERNEL_JOB_TOKEN);');
    const launch = await launched(['-n', '1', program], { RAWKERNEL_JOB_TOKEN: 'sixteen letters.' });
    expect(launch.linesOf(0)).toEqual(['sixteen letters.']);
  });

  test('may be TypeScript', async () => {
    const program = programOf(
      'const rank: string | undefined = process.env["RANK"];\nconsole.log("rank " + rank);',
      '.ts',
    );
    // Beside the project's tsx.
    const { code, stdout } = await launched(['-n', '2', program]);
    expect({ code, lines: stdout.trim().split('\n').sort() }).toEqual({ code: 0, lines: ['[0] rank 0', '[1] rank 1'] });
  });

  test('print whole lines, in their order, and the rest at the end', async () => {
    const program = programOf(`
      const rank = process.env.RANK;
      let text = '';
      for (let i = 0; i < 3000; i++) text += 'line ' + i + ' of ' + rank + ' ü\\n';
      const bytes = Buffer.from(text + 'rest');
      for (let at = 0; at < bytes.length; at += 97) {
        process.stdout.write(bytes.subarray(at, at + 97));
        if (at % 9700 === 0) await new Promise(setImmediate);
      }
      process.stderr.write('on stderr');
    `);
    const launch = await launched(['-n', '4', program]);
    const { code, stdout, stderr } = launch;
    expect(code).toBe(0);
    for (let rank = 0; rank < 4; rank++) {
      expect(launch.linesOf(rank)).toEqual([
        ...Array.from({ length: 3000 }, (_, i) => `line ${i} of ${rank} ü`),
        'rest',
      ]);
    }
    expect(stdout.trimEnd().split('\n')).toHaveLength(4 * 3001);
    expect(stderr.trim().split('\n').sort()).toEqual([0, 1, 2, 3].map((rank) => `[${rank}] on stderr`));
  });
});

describe('a failure', () => {
  test('of the first rank is named with its last lines, is the exit code, and ends the others with their children', async () => {
    const program = programOf(`
      ${CHILD}
      if (process.env.RANK === '1') {
        process.stdin.resume();
        console.log('before the end');
        setTimeout(() => process.exit(3), 200);
      } else ${STAYS}
    `);
    const launch = await launched(['-n', '3', program]);
    expect(launch.code).toBe(3);
    expect(launch.stderr).toMatch(
      /^error: rank 1 of 3 failed first: exit code 3 after \d+\.\d s\nIts last lines:\n {2}child \d+ of \d+\n {2}before the end\n$/,
    );
    await allGone([...launch.numbers('child'), ...launch.numbers('of')]);
  });

  test('of a signal is named by the signal', async () => {
    const program = programOf(`if (process.env.RANK === '0') process.kill(process.pid, 'SIGKILL'); ${STAYS}`);
    const launch = await launched(['-n', '2', program]);
    expect(launch.code).toBe(137);
    expect(launch.stderr).toMatch(
      /^error: rank 0 of 2 failed first: signal SIGKILL after .* s; it had printed nothing\n$/,
    );
  });

  test('ends ranks that ignore SIGTERM within 5 s', async () => {
    const program = programOf(`
      process.on('SIGTERM', () => console.log('not yet'));
      console.log('pid ' + process.pid);
      if (process.env.RANK === '1') setTimeout(() => process.exit(1), 1000);
      else ${STAYS}
    `);
    const launch = new Launched(['-n', '2', program]);
    await launch.said('pid', 2);
    const began = performance.now();
    expect(await launch.ended).toBe(1);
    // A second of it passes before the failure.
    expect(performance.now() - began).toBeLessThan(8000);
    expect(launch.linesOf(0)).toContain('not yet');
    await allGone(launch.numbers('pid'));
  });

  test('of rank 0 is told to the survivors, whose store is that of the launcher', async () => {
    const program = programOf(`
      import { readLauncher } from '@job/environment';
      import { meet } from '@job/meet';
      const launcher = readLauncher();
      const store = await meet(launcher);
      await store.onLeave((rank, reason) => {
        console.log('rank ' + rank + ': ' + reason);
        if (reason === 'exit code 4' && rank === 0) store.get('exit/0').then(async (value) => {
          console.log('the store has ' + Buffer.from(value) + ' at port ' + launcher.port);
          await store.close();
        });
      });
      await store.barrier('start', launcher.size);
      if (launcher.rank === 0) process.exit(4);
      const never = store.get('never').catch(() => undefined);
    `);
    const launch = await launched(['-n', '3', program]);
    expect(launch.code).toBe(4);
    const [port] = launch.numbers('port');
    for (const rank of [1, 2]) {
      expect(launch.linesOf(rank)).toContain('rank 0: exit code 4');
      expect(launch.linesOf(rank)).toContain(`the store has 4 at port ${port}`);
    }
    const { StoreServer } = await import('../../../src/job/store-server.ts');
    await (await StoreServer.listen({ port: port ?? 0 })).close();
  });

  test('starts all again with --restarts, at another port', async () => {
    const program = programOf(`
      const { RANK, RAWKERNEL_RESTART: restart, TORCHELASTIC_RESTART_COUNT: count, MASTER_PORT: port } = process.env;
      console.log('attempt ' + restart + ' ' + count + ' port ' + port);
      if (restart !== '2') process.exit(RANK === '0' ? 5 : 0);
    `);
    const launch = await launched(['-n', '2', '--restarts', '3', program]);
    expect(launch.code).toBe(0);
    expect(launch.linesOf(0).map((line) => line.replace(/ port.*/, ''))).toEqual([
      'attempt 0 0',
      'attempt 1 1',
      'attempt 2 2',
    ]);
    expect(new Set(launch.numbers('port')).size).toBe(3);
    expect(launch.stderr.match(/starting again, attempt \d of 4/g)).toHaveLength(2);
  });

  test('that comes again and again ends the job after the last restart', async () => {
    const launch = await launched(['-n', '1', '--restarts', '1', programOf('process.exit(6);')]);
    expect(launch.code).toBe(6);
    expect(launch.stderr.match(/failed first/g)).toHaveLength(2);
  });
});

test('children that outlive their ranks are ended with the job', async () => {
  const launch = await launched(['-n', '2', programOf(`${CHILD} child.unref();`)]);
  expect(launch.code).toBe(0);
  await allGone(launch.numbers('child'));
});

test('--time-out ends the job, with the ranks that still ran', async () => {
  const launch = await launched(['-n', '3', '--time-out', '1.5', programOf(`if (process.env.RANK !== '1') ${STAYS}`)]);
  expect(launch.code).toBe(124);
  expect(launch.stderr).toMatch(/^error: time-out: rank 0, 2 still ran after 1\.5 s\n/);
});

// Windows has no signals that a process could send to another one.
const { describe: posix } = process.platform === 'win32' ? { describe: describe.skip } : { describe };

posix('signals', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s goes to all ranks, which may end as they like',
    async (signal) => {
      const program = programOf(`
      process.on('${signal}', () => { console.log('heard it'); process.exit(0); });
      console.log('ready');
      ${STAYS}
    `);
      const launch = new Launched(['-n', '2', program]);
      await launch.said('ready', 2);
      launch.child.kill(signal);
      expect(await launch.ended).toBe(0);
      expect(launch.stdout.match(/heard it/g)).toHaveLength(2);
      expect(launch.stderr).toBe('');
    },
  );

  test('a rank that the signal ends is not a failure, and nothing is started again', async () => {
    const launch = new Launched(['-n', '2', '--restarts', '5', programOf(`console.log('ready'); ${STAYS}`)]);
    await launch.said('ready', 2);
    launch.child.kill('SIGINT');
    expect(await launch.ended).toBe(130);
    expect(launch.stderr).toBe('error: interrupted by SIGINT\n');
  });

  test('a second one kills', async () => {
    const program = programOf(`process.on('SIGINT', () => console.log('ignored')); console.log('ready'); ${STAYS}`);
    const launch = new Launched(['-n', '2', program]);
    await launch.said('ready', 2);
    launch.child.kill('SIGINT');
    await launch.said('ignored', 2);
    launch.child.kill('SIGINT');
    expect(await launch.ended).toBe(137);
  });

  test('a launcher that is killed leaves nothing, not even ranks that are busy', async () => {
    const program = programOf(`
      ${CHILD}
      process.on('SIGTERM', () => undefined);
      console.log('ready');
      if (process.env.RANK === '0') for (;;);
      ${STAYS}
    `);
    const launch = new Launched(['-n', '2', program]);
    await launch.said('ready', 2);
    launch.child.kill('SIGKILL');
    await allGone([...launch.numbers('child'), ...launch.numbers('of')]);
  });
});
