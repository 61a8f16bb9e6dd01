import { describe, expect, test } from '@jest/globals';
import { formatDiagnostics, parseDiagnostics } from '../../../src/core/diagnostics.ts';

const SOURCE = `__global__ void k(int *x) {
  *x = yy;
    float z = "s";
}`;

const at = (
  severity: string,
  message: string,
  file: string | undefined,
  line: number | undefined,
  column: number | undefined,
): object => ({ severity, message, file, line, column });

describe('parseDiagnostics() of NVRTC', () => {
  test('a message without a column finds it by the quoted name', () => {
    const log =
      'kernel.cu(2): error: identifier "yy" is undefined\n\n1 error detected in the compilation of "kernel.cu".\n';
    expect(parseDiagnostics(log, SOURCE)).toEqual([at('error', 'identifier "yy" is undefined', 'kernel.cu', 2, 8)]);
  });

  test('a quoted source line with a caret gives the column, with any indent', () => {
    const log =
      'kernel.cu(3): error: a value cannot be used to initialize an entity\n      float z = "s";\n                ^\n';
    expect(parseDiagnostics(log, SOURCE)).toEqual([
      at('error', 'a value cannot be used to initialize an entity', 'kernel.cu', 3, 15),
    ]);
  });

  test('numbered messages, catastrophes, warnings and remarks', () => {
    const log = [
      'kernel.cu(1): warning #177-D: variable "q" was declared but never referenced',
      'kernel.cu(1): error #20: identifier "w" is undefined',
      'kernel.cu(1): catastrophic error: cannot open source file "no.h"',
      'kernel.cu(1): remark: hm',
      'kernel.cu(1): note: see there',
    ].join('\n');
    expect(parseDiagnostics(log, SOURCE).map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: variable "q" was declared but never referenced',
      'error: identifier "w" is undefined',
      'error: cannot open source file "no.h"',
      'note: hm',
      'note: see there',
    ]);
  });

  test('a wrong option has no place', () => {
    expect(parseDiagnostics('nvrtc: error: invalid value for --gpu-architecture (-arch)\n', SOURCE)).toEqual([
      at('error', 'invalid value for --gpu-architecture (-arch)', undefined, undefined, undefined),
    ]);
  });

  test('a name with brackets and a folder stay whole', () => {
    const [found] = parseDiagnostics('/some (odd) folder/a.cu(12): error: no', SOURCE);
    expect(found).toMatchObject({ file: '/some (odd) folder/a.cu', line: 12 });
  });
});

describe('parseDiagnostics() of nvcc', () => {
  test('its front end prints the line and a caret', () => {
    const log =
      'kernel.cu(2): error: identifier "yy" is undefined\n    *x = yy;\n         ^\n\n1 error detected in the compilation of "kernel.cu".';
    expect(parseDiagnostics(log, SOURCE)).toEqual([at('error', 'identifier "yy" is undefined', 'kernel.cu', 2, 8)]);
  });

  test('its preprocessor is gcc', () => {
    const log =
      'kernel.cu:1:10: fatal error: no.h: No such file or directory\n    1 | #include "no.h"\n      |          ^~~~~~\ncompilation terminated.';
    expect(parseDiagnostics(log, SOURCE)).toEqual([at('error', 'no.h: No such file or directory', 'kernel.cu', 1, 10)]);
  });

  test('its driver names itself', () => {
    expect(parseDiagnostics("nvcc fatal   : Unsupported gpu architecture 'compute_10'", SOURCE)).toEqual([
      at('error', "Unsupported gpu architecture 'compute_10'", undefined, undefined, undefined),
    ]);
  });

  test('ptxas names a line of the PTX', () => {
    const log =
      "ptxas kernel.ptx, line 12; error   : Unknown symbol 'x'\nptxas fatal   : Ptx assembly aborted due to errors";
    expect(parseDiagnostics(log, '').map(({ severity, message, line }) => [severity, message, line])).toEqual([
      ['error', "Unknown symbol 'x'", 12],
      ['error', 'Ptx assembly aborted due to errors', undefined],
    ]);
  });
});

test("parseDiagnostics() of the driver's compiler names lines of the PTX that it was given", () => {
  const log = "ptxas application ptx input, line 3; error   : Not a name of any known instruction: 'nonsense'";
  expect(parseDiagnostics(log, '')).toEqual([
    at('error', "Not a name of any known instruction: 'nonsense'", undefined, 3, undefined),
  ]);
});

describe('parseDiagnostics() of OpenCL compilers', () => {
  test('PoCL prints clang', () => {
    const log = [
      "input.cl:3:13: error: initializing 'float' with an expression of incompatible type 'char[2]'",
      '    float z = "s";',
      '          ^   ~~~',
      'input.cl:2:8: warning: unused variable',
      '1 error generated.',
      "error: Program file couldn't be compiled",
    ].join('\n');
    expect(parseDiagnostics(log, SOURCE).map(({ severity, line, column }) => [severity, line, column])).toEqual([
      ['error', 3, 13],
      ['warning', 2, 8],
      ['error', undefined, undefined],
    ]);
  });

  test('NVIDIA calls the source <kernel>', () => {
    const log = "<kernel>:2:8: error: use of undeclared identifier 'yy'\n  *x = yy;\n       ^\n";
    expect(parseDiagnostics(log, SOURCE)).toEqual([at('error', "use of undeclared identifier 'yy'", '<kernel>', 2, 8)]);
  });
});

test('parseDiagnostics() reads lines that end in CR LF', () => {
  expect(parseDiagnostics('k.cu(2): error: no\r\n', SOURCE)[0]).toMatchObject({ message: 'no', line: 2 });
});

test('parseDiagnostics() of a log without messages is empty', () => {
  expect(parseDiagnostics('', SOURCE)).toEqual([]);
  expect(parseDiagnostics('ptxas info    : 0 bytes gmem\nsome words', SOURCE)).toEqual([]);
});

test('parseDiagnostics() survives a line beyond the source', () => {
  const [found] = parseDiagnostics('k.cu(99): error: identifier "yy" is undefined', SOURCE);
  expect(found).toMatchObject({ line: 99, column: undefined });
});

test('formatDiagnostics() shows the line and a caret below the column', () => {
  const diagnostics = parseDiagnostics('kernel.cu(2): error: identifier "yy" is undefined', SOURCE);
  expect(formatDiagnostics(diagnostics, SOURCE, 'kernel.cu')).toBe(
    [
      'kernel.cu:2:8: identifier "yy" is undefined',
      '  1 | __global__ void k(int *x) {',
      '> 2 |   *x = yy;',
      '    |        ^',
      '  3 |     float z = "s";',
    ].join('\n'),
  );
});

test('formatDiagnostics() marks the line where no column is known', () => {
  const diagnostics = parseDiagnostics('kernel.cu(2): error: no', SOURCE);
  expect(formatDiagnostics(diagnostics, SOURCE, 'kernel.cu')).toContain('> 2 |   *x = yy;');
});

test('formatDiagnostics() leaves warnings and notes out', () => {
  const diagnostics = parseDiagnostics('k.cu(1): warning: w\nk.cu(1): note: n', SOURCE);
  expect(formatDiagnostics(diagnostics, SOURCE, 'k.cu')).toBe('');
});

test('formatDiagnostics() ends with what is said of the whole, if there are errors', () => {
  const remark = 'note: the device has no such thing';
  const failed = parseDiagnostics(`kernel.cu:2:8: error: no\nkernel.cu:1:1: note: here\n${remark}`, SOURCE);
  expect(formatDiagnostics(failed, SOURCE, 'kernel.cu')).toMatch(
    /^kernel.cu:2:8: no\n[^]*\^\n[^]*\nthe device has no such thing$/,
  );
  expect(formatDiagnostics(failed, SOURCE, 'kernel.cu')).not.toContain('here');
  expect(formatDiagnostics(parseDiagnostics(remark, SOURCE), SOURCE, 'kernel.cu')).toBe('');
});

test('formatDiagnostics() shows no frame for another file', () => {
  const diagnostics = parseDiagnostics('/include/a.h(2): error: no', SOURCE);
  expect(formatDiagnostics(diagnostics, SOURCE, 'kernel.cu')).toBe('/include/a.h:2: no');
});

test('formatDiagnostics() shows the frame of a source that the compiler calls <kernel>', () => {
  const diagnostics = parseDiagnostics('<kernel>:2:8: error: no', SOURCE);
  expect(formatDiagnostics(diagnostics, SOURCE, 'kernel.cl')).toContain('> 2 |   *x = yy;');
});

test('formatDiagnostics() shows the first three errors and counts the others', () => {
  const log = [1, 2, 3, 4, 4].map((line) => `k.cu(${line}): error: e${line}`).join('\n');
  const text = formatDiagnostics(parseDiagnostics(log, SOURCE), SOURCE, 'k.cu');
  expect(text).toContain('k.cu:3: e3');
  expect(text).not.toContain('e4');
  expect(text).toMatch(/… and 2 more; see the log$/);
});

test('formatDiagnostics() of an error without a place is its message', () => {
  const diagnostics = parseDiagnostics('error: out of luck', SOURCE);
  expect(formatDiagnostics(diagnostics, SOURCE, 'k.cu')).toBe('error: out of luck');
});

test.each([
  ['NVRTC', 'kernel.cu(2): error: missing closing quote'],
  ['clang', `kernel.cu:2:10: error: missing terminating '"' character`],
])('%s stopping in a string that a line break cuts is told of String.raw', (_, log) => {
  const broken = 'void f() {\n  printf("x\n");\n}';
  expect(formatDiagnostics(parseDiagnostics(log, broken), broken, 'kernel.cu')).toMatch(/String\.raw`…`/);
  const whole = 'void f() {\n  g(");\n}'.replace('"', '');
  expect(formatDiagnostics(parseDiagnostics(log, whole), whole, 'kernel.cu')).not.toMatch(/String\.raw/);
});
