import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { headersOfClang, headersOfClangIn } from '../../../../src/cpu/compiler/headers-of-clang.ts';
import { root } from '../../../helpers/root.ts';

/** An archive of files with these names, each with its name as its text, or with so many bytes. */
function tar(...files: readonly (readonly [name: string, bytes?: number])[]): Buffer {
  const entries = files.map(([name, bytes = name.length]) => {
    const entry = Buffer.alloc(512 + Math.ceil(bytes / 512) * 512);
    entry.write(name, 0, 'latin1');
    entry.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    entry.write(name, 512, 'latin1');
    return entry;
  });
  return Buffer.concat([...entries, Buffer.alloc(1024)]);
}

test('of an archive the headers in the folder of headers are kept, in their order', () => {
  const all = tar(
    ...([['include', 0], ['include/a.h'], ['include/c++/vector.h'], ['include/avxintrin.h']] as const),
    ...([['include/large.h', 70_000], ['include/b.h'], ['lib/wasm32/libc.a'], ['share/x.h']] as const),
  );
  const kept = tar(['include', 0], ['include/a.h'], ['include/b.h']);
  expect(Buffer.from(headersOfClang(all)).equals(kept)).toBe(true);
  expect(headersOfClang(Buffer.concat([Buffer.alloc(3), all]).subarray(3))).toEqual(headersOfClang(all));
});

test("the package's archive has the header of OpenCL C and those of C", () => {
  const file = join(root, 'node_modules/@yowasp/clang/gen/llvm-resources.tar');
  const all = readFileSync(file);
  const kept = Buffer.from(headersOfClang(all)).toString('latin1');
  for (const name of ['opencl-c-base.h', 'stddef.h', 'stdint.h', 'limits.h', 'float.h', 'stdarg.h']) {
    expect(kept).toContain(`include/${name}\0`);
  }
  expect(kept.length).toBeLessThan(all.length / 10);
  expect(Buffer.from(headersOfClangIn(pathToFileURL(file))).equals(headersOfClang(all))).toBe(true);
});
