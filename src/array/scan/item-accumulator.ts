import type { Accumulator } from './accumulator.ts';
import { shuffleText } from './accumulator.ts';

/** An item that kernels accumulate. */
export interface ItemType {
  /** Its type in the kernel's language. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The expression of the item that changes nothing. */
  readonly neutral: string;
  /** The call that makes one of two. */
  readonly combine: (a: string, b: string) => string;
}

/** The types and functions by which {@link itemAccumulator} sees an item as words; they come behind the item's own type. */
export function itemWordsText({ type, size }: Pick<ItemType, 'type' | 'size'>): string {
  const count = Math.ceil(size / 4);
  const words = Array.from({ length: count }, (_, i) => `u32 word${i}`);
  const assigned = Array.from({ length: count }, (_, i) => `  bits.words[${i}] = word${i};`);
  return `
typedef union {
  ${type} item;
  u32 words[${count}];
} item_bits_t;
FN u32 word_of_item(${type} item, u32 i) {
  item_bits_t bits;
  bits.words[${count - 1}] = 0;
  bits.item = item;
  return bits.words[i];
}
FN ${type} item_of_words(${words.join(', ')}) {
  item_bits_t bits;
${assigned.join('\n')}
  return bits.item;
}
`;
}

/** How items of any type are accumulated: numbers by other names, and structs. */
export function itemAccumulator({ type, size, neutral, combine }: ItemType): Accumulator {
  const count = Math.ceil(size / 4);
  const words = (name: string): string[] => Array.from({ length: count }, (_, i) => `word_of_item(${name}, ${i})`);
  const ofWords = (all: readonly string[]): string => `item_of_words(${all.join(', ')})`;
  return {
    type,
    size,
    neutral,
    combine,
    words,
    ofWords,
    shuffle: (way, name, from) => ofWords(words(name).map((word) => shuffleText(way, word, from))),
  };
}
