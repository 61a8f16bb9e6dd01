import { formatElements, formatScalar } from './format-element.ts';
import { readShown, withGap, type Printable, type ShownAxis } from './printable.ts';
import { readPrintOptions, type PrintOptions } from './print-options.ts';
import { sizeOf } from './shape.ts';

/** How rows are laid out. */
interface RowLayout {
  readonly separator: string;
  readonly lineWidth: number;
  /** Characters in front of the first bracket. */
  readonly indent: number;
}

const LEFT_OUT = '...';

/**
 * The text of an array, as NumPy's `str` has it: `[[1. 2.]\n [3. 4.]]`. An array of rank 0 is the text of its element.
 *
 * @throws TypeError an unknown option, or an option of the wrong kind
 * @throws RangeError an option out of range
 */
export function formatArray(array: Printable, options?: Partial<PrintOptions>): string {
  const read = readPrintOptions(options);
  if (array.shape.length === 0) return formatScalar(array.element([]), array.dtype);
  return formatBlock(array, read, { separator: ' ', lineWidth: read.lineWidth, indent: 0 });
}

/**
 * The text of an array with its dtype, as NumPy's `repr` has it: `NDArray([[1., 2.],\n         [3., 4.]], dtype=f32)`. Its
 * shape is added where the brackets do not tell it.
 *
 * @throws TypeError an unknown option, or an option of the wrong kind
 * @throws RangeError an option out of range
 */
export function describeArray(array: Printable, options?: Partial<PrintOptions>): string {
  const read = readPrintOptions(options);
  const name = 'NDArray(';
  // The closing parenthesis has to fit too.
  const layout: RowLayout = { separator: ', ', lineWidth: read.lineWidth - 1, indent: name.length };
  const text = `${name}${formatBlock(array, read, layout)},`;
  const facts = `${describeShape(array.shape, read)}dtype=${array.dtype})`;
  const lastLine = text.length - (text.lastIndexOf('\n') + 1);
  const fits = lastLine + 1 + facts.length <= read.lineWidth;
  return text + (fits ? ' ' : `\n${' '.repeat(name.length)}`) + facts;
}

function describeShape(shape: readonly number[], { threshold }: PrintOptions): string {
  const size = sizeOf(shape);
  const isEmpty = size === 0 && shape.length > 1;
  if (!isEmpty && size <= threshold) return '';
  return `shape=(${shape.join(', ')}${shape.length === 1 ? ',' : ''}), `;
}

function formatBlock(array: Printable, options: PrintOptions, layout: RowLayout): string {
  if (sizeOf(array.shape) === 0) return '[]';
  const { elements, axes } = readShown(array, options);
  return bracket(formatElements(elements, array.dtype, options), axes, layout);
}

/** Put brackets around what an axis holds. */
function bracket(texts: readonly string[], axes: readonly ShownAxis[], layout: RowLayout): string {
  const [axis, ...inner] = axes;
  if (axis === undefined) return texts.join('').trimStart();
  const indent = ' '.repeat(layout.indent + 1);
  if (inner.length === 0) return `[${breakLines(withGap(texts, axis, LEFT_OUT), indent, layout)}]`;
  const within = { ...layout, indent: layout.indent + 1, lineWidth: layout.lineWidth - 1 };
  const each = texts.length / axis.indices.length;
  const parts = axis.indices.map((_, i) => bracket(texts.slice(i * each, (i + 1) * each), inner, within));
  return `[${withGap(parts, axis, LEFT_OUT).join(layout.separator.trimEnd() + '\n'.repeat(inner.length) + indent)}]`;
}

/** Join words to lines; a word that is longer than a line has one of its own. */
function breakLines(words: readonly string[], indent: string, { separator, lineWidth }: RowLayout): string {
  const lines: string[] = [];
  let line = '';
  for (const [i, word] of words.entries()) {
    // What follows a word, a comma or a bracket, takes one more.
    if (line !== '' && indent.length + line.length + word.length > lineWidth - 1) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += i === words.length - 1 ? word : word + separator;
  }
  return [...lines, line].join(`\n${indent}`);
}
