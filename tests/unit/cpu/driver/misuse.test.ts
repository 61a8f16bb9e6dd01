import { expect, test } from '@jest/globals';
import { runChild } from '../../../helpers/child.ts';

// A wrong address ends the process that reads it, so the walk has one of its own.
const WALK = `
  const { driver } = await import('@/src/cuda/select.ts');
  const { functions } = await import('@/src/cuda/sys/driver.ts');
  const { entriesOf, parsePrototype, typesOf } = await import('@/src/ffi/prototype.ts');
  const { addressOf } = await import('@/src/ffi/memory.ts');

  const table = driver();
  const slot = new BigUint64Array(1);
  table.cuDevicePrimaryCtxRetain(slot, 0);
  const context = slot[0];
  table.cuCtxSetCurrent(context);
  table.cuMemAlloc(slot, 256);
  const memory = slot[0];
  table.cuStreamCreate(slot, 0);
  const stream = slot[0];
  table.cuEventCreate(slot, 0);
  const event = slot[0];
  const ptx = '.version 7.0\\n.target sm_70\\n.address_size 64\\n.visible .entry k(.param .u64 a, .param .u32 b) { ret; }\\n';
  table.cuModuleLoadData(slot, new TextEncoder().encode(ptx + '\\0'));
  const module = slot[0];
  table.cuModuleGetFunction(slot, module, 'k');
  const kernel = slot[0];

  const room = new Uint8Array(4096);
  const wild = [0n, 1n, 2n, 7n, 0xdeadbeefn, 2n ** 63n, 2n ** 64n - 1n];
  const handles = [...wild, context, memory, stream, event, module, kernel];
  const pointers = [0n, room, room.subarray(0, 256), addressOf(room)];
  const numbers = [0, 1, 2, 3, 31, 64, 255, 1025, 65_536];
  const signed = [...numbers, -1, -(2 ** 31), 2 ** 31 - 1];
  const sizes = [0, 1, 8, 256, 257, 2 ** 40, 2n ** 64n - 1n];
  const texts = ['', 'k', 'nothing', '0000:FF:00.0', 'é'.repeat(200)];
  const { kindOf } = await import('@/src/ffi/ctype.ts');
  const POOLS = { CUoccupancyB2DSize: [0n, 1n] };
  const KINDS = { i8: signed.slice(0, 5), u8: [0, 255], u16: [0, 65_535], u32: [...numbers, 2 ** 32 - 1], i32: signed, i64: signed, u64: sizes, usize: sizes, f32: [0, 0.5, NaN], f64: [0, 0.5, NaN], bytes64: [{ reserved: room.subarray(0, 64) }], handle: handles };
  const poolOf = ({ type, stars, out }) => {
    if (stars > 0) return type === 'char' && stars === 1 && !out ? texts : pointers;
    return POOLS[type] ?? KINDS[kindOf(type, typesOf(functions))];
  };

  let state = 12345;
  const random = (list) => list[(state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65_521 % list.length];
  const complaints = new Set();
  const statuses = new Set();
  for (const [name, text] of entriesOf(functions)) {
    const { params } = parsePrototype(text);
    // What these would end is what the others use.
    const end = /Destroy|Release|Reset|Unload|PopCurrent|SetCurrent|CtxCreate|cuMemFree(Async)?$/.test(name);
    for (let i = 0; i < (end ? 20 : 400); i++) {
      room.fill(0);
      const args = params.map((parameter) => random(end ? wild.slice(3) : poolOf(parameter)));
      if (end) params.forEach((parameter, at) => { if (poolOf(parameter) !== handles) args[at] = random(poolOf(parameter)); });
      if (/SetCurrent|CtxCreate|CtxReset|CtxRelease|PopCurrent/.test(name)) continue;
      try {
        const status = table[name](...args);
        statuses.add(status);
        if (!Number.isInteger(status) || status < 0) complaints.add(name + ' = ' + String(status));
      } catch (error) {
        complaints.add(name + ': ' + error.stack.slice(0, 300));
      }
    }
  }
  console.log([...complaints].join('\\n'), statuses.size > 5);
  table.cuCtxSetCurrent(context);
  console.log(table.cuCtxSynchronize(), table.cuMemcpyHtoD(memory, room, 256), table.cuMemcpyDtoH(room, memory, 256));`;

test('wrong arguments get a status and do not end the process', async () => {
  const { code, signal, stdout, stderr } = await runChild(WALK, {
    RAWKERNEL_DEVICE: 'cpu',
    RAWKERNEL_CPU_WORKERS: '1',
  });
  expect({ code, signal, stdout, stderr }).toEqual({ code: 0, signal: null, stdout: ' true\n0 0 0\n', stderr: '' });
}, 120_000);
