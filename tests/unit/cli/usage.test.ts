import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { command } from '../../helpers/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-usage-'));
const cu = join(folder, 'k.cu');
const cl = join(folder, 'k.cl');
const ptx = join(folder, 'k.ptx');
const odd = join(folder, 'odd.bin');
for (const file of [cu, cl, ptx]) writeFileSync(file, '');
writeFileSync(odd, '12345');
writeFileSync(join(folder, 'text.npy'), 'no array');
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...rest: string[]): string[] => ['run', cu, 'k', '--block', '1', ...rest];

test.each<[string[], RegExp]>([
  [['nope'], /unknown command 'nope'/],
  [['inf'], /unknown command 'inf'.*Did you mean info\?/s],
  [['info', '--nope'], /unknown option '--nope'/],
  [['info', 'metal'], /'metal' is not known: it is cuda, opencl or all/],
  [['info', 'cuda', 'opencl'], /too many arguments|Only one of/],
  [['compile'], /missing required argument 'file'/],
  [['compile', '/nowhere/a.cu'], /nowhere\/a\.cu: there is no such file \(ENOENT\)/],
  [['compile', '/nowhere/a.txt'], /the suffix must be \.cu or \.cl; otherwise use --language/],
  [['compile', cu, '--language', 'metal'], /Allowed choices are cuda, opencl/],
  [['compile', cu, '--ptx', '--cubin'], /One form at a time, got --ptx and --cubin/],
  [['compile', cu, '-o', 'x'], /-o needs to know of what/],
  [['compile', cu, '--binary'], /--binary is for OpenCL/],
  [['compile', cl, '--ptx'], /--ptx is for CUDA; OpenCL has --binary/],
  [['compile', cl, '--arch', 'sm_90'], /--arch is for CUDA/],
  [['compile', cu, '--device', '0'], /--device is for OpenCL/],
  [['run', cu, 'add', '256'], /unexpected argument '256'; options for the compiler follow --/],
  [['compile', cu, '-DTILE=4', 'more', '--', '--use_fast_math'], /unexpected argument 'more'/],
  [
    ['run', cu, 'add', '--block', '1', '--repeat', '5'],
    /--repeat 5: it counts the launches that --time measures: add --time/,
  ],
  [['compile', cu, '--wasm', '--arch', 'sm_90'], /--wasm has no --arch/],
  [['compile', cu, '--ptx', '-o', '-', '--json'], /both want stdout/],
  [['compile', cu, '--ptx', '--arch', 'pentium'], /--arch pentium: write sm_90, compute_90 or 90/],
  [
    ['compile', cu, '--wasm', '-o', '/nowhere/k.wasm'],
    /-o \/nowhere\/k\.wasm: there is no folder (?:[A-Z]:\\|\/)nowhere/,
  ],
  [['compile', cu, '--wasm', '-o', folder], /-o .*: this is a folder/],
  [['compile', cu, '-D', '3=4'], /-D 3=4: that is not a macro/],
  [['compile', ptx], /is compiled already/],
  [['run', cu], /missing required argument 'kernel'/],
  [['run', cu, 'k'], /needs --block/],
  [['run', cl, 'k'], /needs --global/],
  [['run', cu, 'k', '--global', '1'], /--global: CUDA has --grid and --block/],
  [['run', cl, 'k', '--block', '1'], /--block: OpenCL has --global and --local/],
  [['run', cu, 'k', '--block', 'many'], /--block many: write one to three whole numbers/],
  [['run', cu, 'k', '--block', '1,1,1,1'], /--block 1,1,1,1/],
  [['run', cu, 'k', '--block', '0'], /at least 1/],
  [run('--check', '--device', '0'), /--check is for the embedded CPU device/],
  [run('--limit', '-1'), /--limit -1/],
  [run('--time', '--repeat', '0'), /--repeat 0/],
  [run('--save', 'y=/nowhere/y.npy'), /there is no folder (?:[A-Z]:\\|\/)nowhere: create it first/],
  [run('--save', 'y.npy'), /--save y.npy: write 0=result\.npy/],
  [run('--arg', 'zeros:10'), /'zeros:10' is not complete: zeros:SIZE:TYPE/],
  [run('--arg', 'zeros:ten:f32'), /'ten' is not a size/],
  [run('--arg', 'zeros:0:f32'), /'0' is not a size/],
  [run('--arg', 'zeros:99999999999:f64'), /99999999999 elements are too many/],
  [run('--arg', 'zeros:10:float'), /'float' is not an element type; there is i8, u8/],
  [run('--arg', 'range:5:0:i32'), /there is no element in it/],
  [run('--arg', 'range:0:i32'), /range:START:END/],
  [run('--arg', 'range:a:b:i32'), /'a' is not a number/],
  [run('--arg', 'random:10'), /random:SIZE:TYPE/],
  [run('--arg', 'random:10:f32:x'), /'x' is not a number/],
  [run('--arg', `raw:${odd}:f32`), /5 bytes are not a whole number of f32/],
  [run('--arg', 'raw:/nowhere:f32'), /ENOENT/],
  [run('--arg', '/nowhere/a.npy'), /ENOENT/],
  [run('--arg', join(folder, 'text.npy')), /It is not an \.npy file/],
  [run('--arg', 'local:much'), /write local:BYTES/],
  [['launch'], /missing required argument 'program'/],
  [['launch', 'a.mjs'], /How many processes\? Give -n 4, or --devices 0,1,2,3/],
  [['launch', '-n', '0', 'a.mjs'], /-n 0: write a whole number from 1 to 4096/],
  [['launch', '-n', '2.5', 'a.mjs'], /-n 2\.5: write a whole number/],
  [['launch', '-n', '2', '--devices', '0', 'a.mjs'], /-n 2 and --devices with 1 devices: one of them is enough/],
  [['launch', '--devices', '0,,1', 'a.mjs'], /--devices 0,,1: write ordinals or UUIDs/],
  [['launch', '--devices', '0,0', 'a.mjs'], /a device is named twice/],
  [['launch', '-n', '2', '--restarts', 'x', 'a.mjs'], /--restarts x: write a whole number from 0/],
  [['launch', '-n', '2', '--time-out', '0', 'a.mjs'], /--time-out 0: write seconds/],
  [['launch', '-n', '2', '--node-rank', '0', 'a.mjs'], /--node-rank and --rdzv are for --nnodes 2 and more/],
  [['launch', '-n', '2', '--nnodes', '2', 'a.mjs'], /--nnodes 2 needs --node-rank, 0 to 1, and --rdzv HOST:PORT/],
  [
    ['launch', '-n', '2', '--nnodes', '2', '--node-rank', '2', '--rdzv', 'h:1', 'a.mjs'],
    /--node-rank 2: write a whole number from 0 to 1/,
  ],
  [
    ['launch', '-n', '2', '--nnodes', '2', '--node-rank', '1', '--rdzv', 'node1', 'a.mjs'],
    /--rdzv node1: write HOST:PORT, such as node1:29400/,
  ],
  [
    ['launch', '-n', '2', '--nnodes', '2', '--node-rank', '1', '--rdzv', '[::1]:29400', 'a.mjs'],
    /--nnodes needs RAWKERNEL_JOB_TOKEN: the same secret of at least 16 characters on all nodes/,
  ],
  [['launch', '-n', '1', join(folder, 'none.mjs')], /none\.mjs: there is no such file/],
  [['launch', '-n', '1', '--nope', 'a.mjs'], /unknown option '--nope'/],
  [['bench', '--seconds', 'few'], /--seconds few/],
  [['bench', '--seconds', 'Infinity'], /--seconds Infinity: write a number above 0, 3600 at most/],
])('%j is wrong usage', async (argv, message) => {
  const { code, stdout, stderr } = await command(argv);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
  if (!argv.includes('--json')) expect(stdout).toBe('');
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('with --json an error is a document too', async () => {
  for (const argv of [
    ['info', 'metal', '--json'],
    ['compile', '--json'],
  ]) {
    const { code, stdout } = await command(argv);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ error: expect.objectContaining({ name: 'UsageError' }) as object });
  }
});

test('--verbose and RAWKERNEL_TRACE show the stack', async () => {
  expect((await command(['info', 'metal', '--verbose'])).stderr).toMatch(/^\s+at /m);
  expect((await command(['info', 'metal'], { env: { RAWKERNEL_TRACE: 'calls' } })).stderr).toMatch(/^\s+at /m);
});
