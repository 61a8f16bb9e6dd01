import * as cuda from '../../src/cuda/index.ts';
import type { AddEntry } from './cuda-misuse.ts';

const PTX = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n';

/** What links programs, and what shares arrays with other libraries. */
export function interopEntries(entry: AddEntry, memory: cuda.DeviceAllocation): void {
  const view = new cuda.TensorView(memory, { shape: [4], dtype: 'u8' });
  const box = { dtype: 'u8', shape: [16], box: [16] };
  entry('new Linker', (options: never) => new cuda.Linker(options), [{}, 'options']);
  entry('Linker.add', (program: never) => new cuda.Linker().add(program), [cuda.Program.fromBytes(PTX), 'object']);
  entry('new DynamicModule', (options: never) => new cuda.DynamicModule(options), [{}, 'options']);
  entry('dynamicSourceModule', (options: never) => cuda.dynamicSourceModule('', options), [{}, 'options']);
  entry('Program.toModule', (options: never) => cuda.Program.fromBytes(PTX).toModule(options).close(), [{}, 'options']);
  entry('Program.compile', (options: never) => cuda.Program.compile('', options), [{}, 'options']);
  entry('Program.fromNvvm', (options: never) => cuda.Program.fromNvvm(' ', options), [{}, 'options']);
  entry('new TensorView', (of: never) => new cuda.TensorView(of, { shape: [4], dtype: 'u8' }), [memory, 'device']);
  entry('TensorView.from', (of: never) => cuda.TensorView.from(of), [view, 'object']);
  entry('tensorMap', (of: never) => cuda.tensorMap(of, box as never), [memory, 'device']);
  entry('tensorMapIm2col', (of: never) => cuda.tensorMapIm2col(of, box as never), [memory, 'device']);
  entry('toDLPack', (of: never) => cuda.toDLPack(of).close(), [view, 'object']);
  entry('fromDLPack', (of: never) => cuda.fromDLPack(of), [0n, 'object']);
}
