import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runChild } from '../../../helpers/child.ts';
import { needs } from '../../../helpers/require.ts';

// NVRTC cannot be ended. This one compiles for a minute, with memory that its library gives back when it is unloaded.

const SLOW = `
  #include <stdlib.h>
  #include <sys/mman.h>
  #include <time.h>
  typedef unsigned long size;
  static volatile char *work;
  __attribute__((constructor)) static void load(void) {
    work = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  __attribute__((destructor)) static void unload(void) { munmap((void *)work, 4096); }
  int nvrtcVersion(int *major, int *minor) { *major = 12; *minor = 4; return 0; }
  int nvrtcGetNumSupportedArchs(int *count) { *count = 1; return 0; }
  int nvrtcGetSupportedArchs(int *archs) { *archs = 80; return 0; }
  int nvrtcCreateProgram(void **out, const char *s, const char *n, int c, const char **h, const char **i) {
    *out = malloc(1);
    return 0;
  }
  int nvrtcDestroyProgram(void **program) { free(*program); *program = 0; return 0; }
  int nvrtcCompileProgram(void *program, int count, const char **options) {
    for (time_t end = time(0) + 60; time(0) < end; ) work[0]++;
    return 0;
  }
  int nvrtcGetProgramLogSize(void *program, size *bytes) { *bytes = 0; return 0; }
  int nvrtcGetPTXSize(void *program, size *bytes) { *bytes = 1; return 0; }
  int nvrtcGetPTX(void *program, char *out) { *out = 0; return 0; }
`;
const PROGRAM = `
  import { Program } from '@/src/cuda/index.ts';
  process.on('exit', (code) => console.log('first', code));
  const compiled = Program.compileLater('', { arch: 'compute_80', cache: false, timeoutMs: 200 });
  process.on('exit', () => console.log('last'));
  await compiled.catch((error) => console.log(error.name, /took longer than 200 ms/.test(error.message)));
`;

needs.command('gcc').describe('A compilation of NVRTC that was given up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-slow-nvrtc-'));
  const library = join(folder, 'libnvrtc.so');
  const env = { RAWKERNEL_DEVICE: 'gpu', RAWKERNEL_LIBNVRTC: library };
  beforeAll(() => {
    const args = ['-shared', '-fPIC', '-O1', '-x', 'c', '-', '-o', library];
    const { status, stderr } = spawnSync('gcc', args, { input: SLOW, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('does not keep the process from its exit, nor crash it', async () => {
    const ended = await runChild(`${PROGRAM} process.exit(3);`, env);
    expect({ ...ended, stderr: '' }).toEqual({
      code: 3,
      signal: null,
      stdout: 'CompileError true\nfirst 3\nlast\n',
      stderr: '',
    });
  }, 50_000);

  test('does not keep it after an uncaught error either', async () => {
    const ended = await runChild(`${PROGRAM} throw new Error('nobody hears');`, env);
    expect([ended.code, ended.signal, ended.stdout]).toEqual([1, null, 'CompileError true\nfirst 1\nlast\n']);
    expect(ended.stderr).toContain('nobody hears');
  }, 50_000);
});
