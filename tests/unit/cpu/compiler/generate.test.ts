import { expect, test } from '@jest/globals';
import { generate, WIDE_LOOPS } from '../../../../src/cpu/compiler/link.ts';
import { loadToolchain, type Toolchain } from '../../../../src/cpu/compiler/toolchain.ts';
import { COMPILE_MS } from '../opencl/compile.ts';

const LOOP = `
target triple = "wasm64-unknown-unknown"
define void @add(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr %x, i64 %i
  %to = getelementptr float, ptr %y, i64 %i
  %a = load float, ptr %from, !llvm.access.group !2
  %b = fmul float %a, 3.0
  store float %b, ptr %to, !llvm.access.group !2
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1, !3}
!1 = ${WIDE_LOOPS}
!2 = distinct !{}
!3 = !{!"llvm.loop.parallel_accesses", !2}
`;

/** LLVM whose vectoriser of outer loops fails, as it does on some programs. */
async function withoutOuterLoops(): Promise<{ toolchain: Toolchain; runs: (readonly string[])[] }> {
  const real = await loadToolchain();
  const runs: (readonly string[])[] = [];
  const run: Toolchain['run'] = (argv, files) => {
    runs.push(argv);
    return argv.includes('-enable-vplan-native-path')
      ? { ok: false, files: {}, log: 'Assertion failed' }
      : real.run(argv, files);
  };
  return { toolchain: { run }, runs };
}

test(
  'a fault of the vectoriser of outer loops leaves the other vectorisers',
  async () => {
    const { toolchain, runs } = await withoutOuterLoops();
    const { ok, log, files } = generate(toolchain, { text: LOOP, isPacked: false });
    expect({ ok, log }).toEqual({ ok: true, log: '' });
    expect(files['out']?.subarray(0, 4)).toEqual(Uint8Array.of(0, 0x61, 0x73, 0x6d));
    expect(runs.filter((argv) => argv.includes('-emit-obj') && argv.includes('in.ll'))).toHaveLength(2);
    expect(runs.at(-1)).toContain('-vectorize-loops');
  },
  COMPILE_MS,
);
