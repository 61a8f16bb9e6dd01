export * from '../../array/public.ts';
export { save, savez, type SavezOptions } from '../../array-file/array-file.ts';
export * from './create.ts';
export * as random from './random.ts';
export { ListOfListsBuilder } from './list-of-lists.ts';
