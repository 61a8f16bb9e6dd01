import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { cacheKey, cacheRead, cacheWrite } from '../../../src/core/cache.ts';
import { HEADER } from '../../../src/core/cache-entry.ts';
import { distrustOf } from '../../../src/core/cache-folder.ts';
import { runChild } from '../../helpers/child.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

const before = process.env['RAWKERNEL_CACHE_DIR'];
const root = fs.mkdtempSync(join(tmpdir(), 'rawkernel-cache-safety-'));
const posix = process.platform === 'win32' ? describe.skip : describe;
let outer: string;
let folder: string;
let warnings: readonly Error[];
let count = 0;

beforeEach(() => {
  outer = join(root, `run-${count++}`);
  folder = join(outer, 'rawkernel-2');
  process.env['RAWKERNEL_CACHE_DIR'] = outer;
  // Told once in a process.
  warnings = expectWarnings('RAWKERNEL_CACHE');
});
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env['RAWKERNEL_CACHE_MAX_BYTES'];
  if (before === undefined) delete process.env['RAWKERNEL_CACHE_DIR'];
  else process.env['RAWKERNEL_CACHE_DIR'] = before;
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const key = (name: string): string => cacheKey({ name });
const part = Buffer.from('compiled');
const pathOf = (name: string): string => join(folder, key(name));
const entry = (name: string, body: Buffer): Buffer =>
  Buffer.concat([
    HEADER,
    createHash('sha256')
      .update(`${key(name)}\n`)
      .update(body)
      .digest(),
    body,
  ]);

test('a folder with files of others is refused with one sentence, and they stay', async () => {
  fs.mkdirSync(outer, { mode: 0o700 });
  fs.writeFileSync(join(outer, 'thesis.txt'), 'years');
  process.env['RAWKERNEL_CACHE_MAX_BYTES'] = '0';
  cacheWrite(key('a'), [part]);
  cacheWrite(key('b'), [part]);
  expect(fs.readdirSync(outer)).toEqual(['thesis.txt']);
  await new Promise(setImmediate);
  expect(warnings.map(({ message }) => message)).toEqual([
    `The compile cache is not used: ${outer} has files of others (thesis.txt); ` +
      'name a folder that is empty or does not exist by RAWKERNEL_CACHE_DIR',
  ]);
});

test('nothing but entries of the cache is ever removed', () => {
  cacheWrite(key('a'), [part]);
  const strangers = ['thesis.txt', `${key('x')}.txt`, key('x').toUpperCase(), `${key('x')}.tmp`, key('no header')];
  for (const name of strangers) fs.writeFileSync(join(folder, name), 'years');
  fs.mkdirSync(pathOf('folder'));
  fs.writeFileSync(join(outer, key('beside')), 'years');
  for (const name of fs.readdirSync(folder)) fs.utimesSync(join(folder, name), 1, 1);
  process.env['RAWKERNEL_CACHE_MAX_BYTES'] = '0';
  cacheWrite(key('b'), [part]);
  expect(fs.readdirSync(folder).sort()).toEqual([...strangers, key('folder')].sort());
  expect(fs.readdirSync(outer).sort()).toEqual([key('beside'), 'rawkernel-2'].sort());
});

test('a folder that cannot be listed or emptied does not keep entries from being written', () => {
  fs.mkdirSync(pathOf('folder'), { recursive: true, mode: 0o700 });
  fs.chmodSync(folder, 0o700);
  process.env['RAWKERNEL_CACHE_MAX_BYTES'] = '200';
  for (const name of ['a', 'b', 'c', 'd']) cacheWrite(key(name), [part]);
  expect(cacheRead(key('d'))).toEqual([part]);
  expect(fs.readdirSync(folder).length).toBeLessThan(5);
});

test('a folder in the place of an entry is a miss, before and after a write', () => {
  fs.mkdirSync(pathOf('a'), { recursive: true });
  cacheWrite(key('a'), [part]);
  expect(cacheRead(key('a'))).toBeUndefined();
});

test('an entry under the name of another key is a miss', () => {
  cacheWrite(key('a'), [part]);
  cacheWrite(key('b'), [Buffer.from('another')]);
  const swap = join(folder, 'swap');
  fs.renameSync(pathOf('a'), swap);
  fs.renameSync(pathOf('b'), pathOf('a'));
  fs.renameSync(swap, pathOf('b'));
  expect([cacheRead(key('a')), cacheRead(key('b'))]).toEqual([undefined, undefined]);
});

test.each([
  ['no line', ''],
  ['no sizes', '\n'],
  ['no JSON', '[8\ncompiled'],
  ['an object', '{"length":1}\ncompiled'],
  ['texts', '["8"]\ncompiled'],
  ['negative sizes', '[-8,16]\ncompiled'],
  ['fractions', '[7.5]\ncompiled'],
  ['too large a size', '[9]\ncompiled'],
  ['too small a size', '[7]\ncompiled'],
  ['a size beyond all numbers', '[1e400]\ncompiled'],
  ['null', 'null\ncompiled'],
])('an entry with the right digest and %s is a miss', (_, body) => {
  cacheWrite(key('other'), [part]);
  fs.writeFileSync(pathOf('a'), entry('a', Buffer.from(body)), { mode: 0o600 });
  expect(cacheRead(key('a'))).toBeUndefined();
  expect(fs.existsSync(pathOf('a'))).toBe(false);
});

test('an entry that is well made by hand is read', () => {
  cacheWrite(key('other'), [part]);
  fs.writeFileSync(pathOf('a'), entry('a', Buffer.from('[8]\ncompiled')), { mode: 0o600 });
  expect(cacheRead(key('a'))).toEqual([part]);
});

test('a file of the name of an entry without its header is a miss, and a write replaces it', () => {
  cacheWrite(key('other'), [part]);
  fs.writeFileSync(pathOf('a'), 'something else', { mode: 0o600 });
  expect(cacheRead(key('a'))).toBeUndefined();
  cacheWrite(key('a'), [part]);
  expect(cacheRead(key('a'))).toEqual([part]);
});

// On Windows an open file keeps its name.
describe.each(['EPERM', 'EACCES', 'EBUSY'])('%s from taking the name of an entry', (code) => {
  const refuse = (): void => {
    jest.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw Object.assign(new Error(`${code}: by test`), { code, syscall: 'rename' });
    });
  };
  const settled = async (): Promise<readonly string[]> => {
    jest.restoreAllMocks();
    await new Promise(setImmediate);
    return warnings.map(({ message }) => message);
  };

  test('is not a failure where another process has kept the same', async () => {
    cacheWrite(key('a'), [part]);
    refuse();
    cacheWrite(key('a'), [part]);
    expect(await settled()).toEqual([]);
    expect(fs.readdirSync(folder)).toEqual([key('a')]);
    expect(cacheRead(key('a'))).toEqual([part]);
  });

  test('is one where there is nothing, or something else', () => {
    cacheWrite(key('a'), [part]);
    fs.writeFileSync(pathOf('b'), 'something else', { mode: 0o600 });
    refuse();
    cacheWrite(key('b'), [part]);
    cacheWrite(key('c'), [part]);
    jest.restoreAllMocks();
    expect([cacheRead(key('b')), cacheRead(key('c'))]).toEqual([undefined, undefined]);
    expect(fs.readdirSync(folder).sort()).toEqual([key('a'), key('b')].sort());
  });
});

posix('of other users', () => {
  const planted = (path: string): void => fs.writeFileSync(path, entry('a', Buffer.from('[0]\n')), { mode: 0o600 });
  const writable = (path: string): void => {
    planted(path);
    fs.chmodSync(path, 0o666);
  };
  const foreign = (path: string): void => {
    planted(path);
    fs.chownSync(path, 65534, 65534);
  };

  test.each<[string, (path: string) => void]>([
    ['a link', (path) => fs.symlinkSync(pathOf('real'), path)],
    ['a file that others can write', writable],
    // Only the administrator can give files away.
    ...(process.geteuid?.() === 0
      ? ([['a file that another user has planted', foreign]] satisfies [string, typeof foreign][])
      : []),
  ])('%s is a miss and stays', (_, make) => {
    cacheWrite(key('real'), [part]);
    make(pathOf('a'));
    const made = fs.lstatSync(pathOf('a')).ino;
    expect(cacheRead(key('a'))).toBeUndefined();
    cacheWrite(key('a'), [part]);
    expect(cacheRead(key('a'))).toBeUndefined();
    expect(fs.lstatSync(pathOf('a')).ino).toBe(made);
  });

  test.each([
    ['the folder', () => outer],
    ['the folder inside', () => folder],
  ])('%s that others can write is not used', (_, which) => {
    cacheWrite(key('a'), [part]);
    fs.chmodSync(which(), 0o770);
    expect(cacheRead(key('a'))).toBeUndefined();
    cacheWrite(key('b'), [part]);
    fs.chmodSync(which(), 0o700);
    expect(cacheRead(key('b'))).toBeUndefined();
    expect(cacheRead(key('a'))).toEqual([part]);
  });

  test('a link in the place of the folder inside is not followed', () => {
    const elsewhere = join(root, 'elsewhere');
    fs.mkdirSync(elsewhere, { recursive: true });
    fs.mkdirSync(outer, { mode: 0o700 });
    fs.symlinkSync(elsewhere, folder);
    cacheWrite(key('a'), [part]);
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });

  test('what belongs to this user or to the administrator is trusted, what belongs to others is not', () => {
    const user = process.geteuid?.() ?? 0;
    const verdicts = [user, 0, user + 1].map((uid) => distrustOf({ uid, mode: 0o100600 }));
    expect(verdicts).toEqual([undefined, undefined, `belongs to another user (${user + 1})`]);
    expect(distrustOf({ uid: user, mode: 0o100620 })).toBe('can be written by other users');
  });
});

const CALLS = [
  ...(['statSync', 'lstatSync', 'readdirSync', 'mkdirSync', 'openSync', 'fstatSync', 'readFileSync'] as const),
  ...(process.platform === 'win32' ? (['utimesSync'] as const) : (['futimesSync'] as const)),
  ...(['writeFileSync', 'closeSync', 'renameSync', 'unlinkSync', 'readSync'] as const),
];

describe.each(['EIO', 'ENOSPC', 'EROFS', 'EACCES', 'EMFILE', 'ENOENT', 'EDQUOT'])('%s', (code) => {
  test.each(CALLS)('from %s, each time that it is called, costs a build its entry at most', (name) => {
    const real = fs[name] as (...args: unknown[]) => unknown;
    let [calls, last] = [0, 1];
    for (let fail = 1; fail <= last; fail++) {
      calls = 0;
      delete process.env['RAWKERNEL_CACHE_MAX_BYTES'];
      cacheWrite(key('a'), [part]);
      process.env['RAWKERNEL_CACHE_MAX_BYTES'] = '150';
      const mock = jest.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
        // A file that is not closed would stay open; the failure comes after that.
        const result = name === 'closeSync' ? real(...args) : undefined;
        if (++calls === fail) throw Object.assign(new Error(`${code}: by test`), { code });
        return name === 'closeSync' ? result : real(...args);
      }) as never);
      const read = cacheRead(key('a'));
      cacheWrite(key('a'), [part]);
      cacheWrite(key('b'), [Buffer.alloc(200)]);
      mock.mockRestore();
      last = Math.max(last, calls);
      expect(read === undefined || read[0]?.equals(part)).toBe(true);
      const strangers = fs.existsSync(folder)
        ? fs.readdirSync(folder).filter((file) => !/^[\da-f]{64}$/.test(file))
        : [];
      // Only where removing fails does a begun file stay, until it is stale.
      expect(name === 'unlinkSync' ? [] : strangers).toEqual([]);
      cacheWrite(key('c'), [part]);
      expect(cacheRead(key('c'))).toEqual([part]);
    }
    expect(calls).toBeGreaterThan(0);
  });
});

test('a process that is killed while it writes leaves nothing that is read', async () => {
  const script = `
    import fs from 'node:fs';
    import { cacheKey, cacheRead, cacheWrite } from '@/src/core/cache.ts';
    const [key] = [cacheKey({ name: 'killed' })];
    if (cacheRead(key) !== undefined) process.exit(3);
    const write = fs.writeFileSync;
    fs.writeFileSync = (file, bytes) => {
      write(file, bytes.subarray(0, bytes.length >> 1));
      process.kill(process.pid, 'SIGKILL');
    };
    cacheWrite(key, [new Uint8Array(1000)]);`;
  const ended = await runChild(script, { RAWKERNEL_CACHE_DIR: outer });
  expect(ended.signal ?? ended.code).toBe(process.platform === 'win32' ? 1 : 'SIGKILL');
  expect(cacheRead(key('killed'))).toBeUndefined();
  const [left] = fs.readdirSync(folder);
  fs.utimesSync(join(folder, left ?? ''), 1, 1);
  cacheWrite(key('killed'), [part]);
  expect(fs.readdirSync(folder)).toEqual([key('killed')]);
  expect(cacheRead(key('killed'))).toEqual([part]);
}, 30_000);

// Node's recursive mkdir does not come back from there.
(process.platform === 'linux' ? test : test.skip)('a folder under /proc is a miss at once, in a warning', async () => {
  const { code, stdout, stderr } = await runChild(
    `import { cacheRead, cacheWrite } from '@/src/core/cache.ts';
    cacheWrite('0'.repeat(64), [Buffer.from('x')]);
    console.log(cacheRead('0'.repeat(64)));`,
    { RAWKERNEL_CACHE_DIR: '/proc/no/such/folder' },
  );
  expect([code, stdout]).toEqual([0, 'undefined\n']);
  expect(stderr).toContain('/proc/no');
});
