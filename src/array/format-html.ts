import { formatArray } from './format.ts';
import { formatElements, formatScalar } from './format-element.ts';
import { readShown, withGap, type Printable } from './printable.ts';
import { sizeOf } from './shape.ts';
import { readPrintOptions, type PrintOptions } from './print-options.ts';

const LEFT_OUT = '…';
// The texts are padded so that their points lie below each other.
const STYLE = 'font-family: monospace; white-space: pre; text-align: right';
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * An array as HTML, for notebooks: a table up to rank 2, its text above. Large arrays are summarised as their text is.
 *
 * @throws TypeError an unknown option, or an option of the wrong kind
 * @throws RangeError an option out of range
 */
export function formatHtml(array: Printable, caption: string, options?: Partial<PrintOptions>): string {
  const read = readPrintOptions(options);
  if (array.shape.length > 2 || sizeOf(array.shape) === 0) {
    const text = escapeHtml(formatArray(array, options));
    return `<figure><figcaption>${escapeHtml(caption)}</figcaption><pre>${text}</pre></figure>`;
  }
  const rows = tableRows(array, read).map(
    (row) => `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`,
  );
  return `<table style="${STYLE}"><caption>${escapeHtml(caption)}</caption><tbody>${rows.join('')}</tbody></table>`;
}

function tableRows(array: Printable, options: PrintOptions): readonly (readonly string[])[] {
  if (array.shape.length === 0) return [[formatScalar(array.element([]), array.dtype)]];
  const { elements, axes } = readShown(array, options);
  const texts = formatElements(elements, array.dtype, options);
  const columns = axes.at(-1);
  if (columns === undefined) return [texts];
  const width = columns.indices.length;
  const rows = Array.from({ length: texts.length / width }, (_, i) =>
    withGap(texts.slice(i * width, (i + 1) * width), columns, LEFT_OUT),
  );
  const [down] = axes;
  if (axes.length === 1 || down === undefined) return rows;
  return withGap(
    rows,
    down,
    (rows[0] ?? []).map(() => LEFT_OUT),
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
