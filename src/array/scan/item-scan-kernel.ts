import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import type { Accumulator } from './accumulator.ts';
import { itemScanParameters, type ItemIndex, type ItemScanMode, type ItemScanText } from './item-scan-text.ts';
import { lookBackItems } from './look-back-kernel.ts';
import { SCAN_THREADS, tileDeclarations, tileText, writeTileText, type TileForm } from './rows-kernel.ts';
import { carryText, stateWords } from './tile-state.ts';

/** Items of a thread of a tile, in kernels that go over parts; in those that look back; bytes of shared memory bound both. */
export function itemsOfTile({ size }: Accumulator, looksBack: boolean): number {
  return looksBack
    ? Math.min(16, lookBackItems({ size: Math.max(size, 8) }))
    : Math.max(1, Math.min(8, Math.floor(32 / size)));
}

/** The scan in one pass; see `lookBackScan`. */
export function itemScanOnce(text: ItemScanText, index: ItemIndex): KernelText {
  const { accumulator } = text;
  const { type, neutral } = accumulator;
  const items = itemsOfTile(accumulator, true);
  const form: TileForm = { items, index, shuffles: true };
  const body = `
${tileDeclarations(type, form)}
SHARED u32 ticket;
SHARED ${type} start;
const u32 tid = LOCAL_ID(x), x = tid, width = ${SCAN_THREADS}, row_tile = 0;
if (tid == 0) ticket = atomicAdd((u32 *)state, 1u);
BARRIER();
const u32 tile_of_line = ticket;
const ${index} base = (${index})tile_of_line * ${SCAN_THREADS * items}, last = item_count;
volatile u64 *word = state + 1 + (u64)tile_of_line * ${stateWords(accumulator)};
${tileText(accumulator, form, (i) => `(${i} < last ? ${text.item(i)} : ${neutral})`)}
${carryText(accumulator)}
${writeTileText(accumulator, form, text.needsPrevious, (i, item, previous) => written(text, i, item, previous, 'carry'))}`;
  return kernelOf(text, 'once', index, body, ['once']);
}

/** The scan of parts by groups that go along them tile by tile. */
export function itemScanParts(
  text: ItemScanText,
  mode: Exclude<ItemScanMode, 'once'>,
  index: ItemIndex,
  shuffles: boolean,
): KernelText {
  const { accumulator } = text;
  const { type, neutral, combine } = accumulator;
  const items = itemsOfTile(accumulator, false);
  const form: TileForm = { items, index, shuffles };
  const isReduced = mode === 'reduce';
  const body = `
${tileDeclarations(type, form)}
const u32 tid = LOCAL_ID(x), x = tid, width = ${SCAN_THREADS};
${items > 1 ? 'const u32 row_tile = 0;' : ''}
const u32 part = GROUP_ID(x);
const ${index} first = (${index})part * chunk_length;
const ${index} last = item_count - first < chunk_length ? item_count : first + chunk_length;
${sumsText(text, mode)}
for (${index} base = first; base < last; base += ${SCAN_THREADS * items}) {
${indent(tileText(accumulator, form, (i) => `(${i} < last ? ${text.item(i)} : ${neutral})`).trim())}
${
  isReduced
    ? ''
    : indent(
        `before = ${combine('carry', 'before')};${writeTileText(
          accumulator,
          form,
          text.needsPrevious,
          (i, item, previous) => written(text, i, item, previous, 'all'),
        )}`.trim(),
      )
}
  carry = ${combine('carry', 'total')};
  BARRIER();
}
${isReduced ? 'if (tid == 0) of_parts[part] = carry;' : ''}`;
  return kernelOf(text, mode, index, body, [mode, ...(shuffles ? [] : ['shared'])]);
}

/** The same where threads run one after another: each has a part. */
export function itemScanSerial(text: ItemScanText, mode: Exclude<ItemScanMode, 'once'>, index: ItemIndex): KernelText {
  const { type, combine } = text.accumulator;
  const isReduced = mode === 'reduce';
  const body = `
const u32 part = GROUP_ID(x);
const ${index} first = (${index})part * chunk_length;
const ${index} last = item_count - first < chunk_length ? item_count : first + chunk_length;
${sumsText(text, mode)}
for (${index} i = first; i < last; i++) {
  const ${type} own = ${text.item('i')};
  const ${type} item = ${combine('carry', 'own')};
${isReduced ? '' : indent(text.write('i', 'item', 'carry', 'all'))}
  carry = item;
}
${isReduced ? 'of_parts[part] = carry;' : ''}`;
  return kernelOf(text, mode, index, body, [mode, 'serial']);
}

/** The sums of parts, up to each: by one group, or one thread. */
export function itemScanSums(text: ItemScanText, isSerial: boolean, shuffles: boolean): KernelText {
  const { accumulator } = text;
  const { type, neutral, combine } = accumulator;
  const parameters = [
    { name: 'sums', dtype: 'u8', kind: 'output' },
    { name: 'parts', dtype: 'u32', kind: 'number' },
  ] as const;
  const items = itemsOfTile(accumulator, false);
  const form: TileForm = { items, index: 'u32', shuffles };
  const head = `GLOBAL ${type} *of_parts = (GLOBAL ${type} *)sums;\n${type} carry = ${neutral};`;
  const body = isSerial
    ? `
${head}
for (u32 i = 0; i < parts; i++) {
  const ${type} own = of_parts[i];
  const ${type} sum = ${combine('carry', 'own')};
  carry = sum;
  of_parts[i] = carry;
}`
    : `
${tileDeclarations(type, form)}
const u32 tid = LOCAL_ID(x), x = tid, width = ${SCAN_THREADS};
${items > 1 ? 'const u32 row_tile = 0;' : ''}
${head}
for (u32 base = 0; base < parts; base += ${SCAN_THREADS * items}) {
${indent(tileText(accumulator, form, (i) => `(${i} < parts ? of_parts[${i}] : ${neutral})`).trim())}
${indent(`before = ${combine('carry', 'before')};${writeTileText(accumulator, form, false, (i, sum) => `if (${i} < parts) of_parts[${i}] = ${sum};`)}`)}
  carry = ${combine('carry', 'total')};
  BARRIER();
}`;
  const name = [text.name, 'sums', ...(isSerial ? ['serial'] : shuffles ? [] : ['shared'])].join('_');
  return { name, parameters, body, preamble: text.preamble, head: text.head ?? '' };
}

function sumsText({ accumulator, needsLast }: ItemScanText, mode: ItemScanMode): string {
  const { type, neutral } = accumulator;
  if (mode === 'reduce') return `GLOBAL ${type} *of_parts = (GLOBAL ${type} *)sums;\n${type} carry = ${neutral};`;
  return `
GLOBAL const ${type} *of_parts = (GLOBAL const ${type} *)sums;
${needsLast ? `const ${type} all = of_parts[parts - 1];` : ''}
${type} carry = ${neutral};
if (part > 0) carry = of_parts[part - 1];`.trim();
}

function written(text: ItemScanText, i: string, item: string, previous: string, all: string): string {
  return `if (${i} < last) {\n${indent(text.write(i, item, previous, all))}\n}`;
}

function kernelOf(
  text: ItemScanText,
  mode: ItemScanMode,
  index: ItemIndex,
  body: string,
  parts: readonly string[],
): KernelText {
  const name = [text.name, ...parts, ...(index === 'i64' ? ['wide'] : [])].join('_');
  return {
    name,
    parameters: itemScanParameters(text, mode, index),
    body,
    preamble: text.preamble,
    head: text.head ?? '',
  };
}
