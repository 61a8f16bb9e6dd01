import { expect, test } from '@jest/globals';
import { formatArray } from '../../../src/array/format.ts';
import { formatHtml } from '../../../src/array/format-html.ts';
import { printable } from '../../helpers/printed.ts';

/** The texts of a table's cells, row by row. */
function cells(html: string): string[][] {
  const rows = html.match(/<tr>.*?<\/tr>/gs) ?? [];
  return rows.map((row) => Array.from(row.matchAll(/<td>(.*?)<\/td>/gs), ([, text]) => text ?? ''));
}

test('a matrix is a table of its padded texts', () => {
  const html = formatHtml(printable('f32', [2, 2], [1, 2, 30, 4.5]), 'a matrix');
  expect(html).toMatch(/^<table style="[^"<>]*"><caption>a matrix<\/caption><tbody>.*<\/tbody><\/table>$/);
  expect(cells(html)).toEqual([
    [' 1. ', ' 2. '],
    ['30. ', ' 4.5'],
  ]);
});

test('a vector is one row, and a scalar one cell', () => {
  expect(cells(formatHtml(printable('i32', [3], [1, 2, 30]), ''))).toEqual([[' 1', ' 2', '30']]);
  expect(cells(formatHtml(printable('f32', [], [0.1]), ''))).toEqual([['0.1']]);
});

test('a large array is summarised on both axes', () => {
  const html = formatHtml(
    printable('i32', [1000, 9], (place) => place),
    '',
  );
  expect(cells(html).map((row) => row.map((text) => text.trim()))).toEqual([
    ['0', '1', '2', '…', '6', '7', '8'],
    ['9', '10', '11', '…', '15', '16', '17'],
    ['18', '19', '20', '…', '24', '25', '26'],
    ['…', '…', '…', '…', '…', '…', '…'],
    ['8973', '8974', '8975', '…', '8979', '8980', '8981'],
    ['8982', '8983', '8984', '…', '8988', '8989', '8990'],
    ['8991', '8992', '8993', '…', '8997', '8998', '8999'],
  ]);
  expect(
    cells(
      formatHtml(
        printable('u8', [9], () => 7),
        '',
        { threshold: 5, edgeItems: 2 },
      ),
    ),
  ).toEqual([['7', '7', '…', '7', '7']]);
});

test.each([
  [
    [2, 1, 2],
    [1, 2, 3, 4],
  ],
  [[0], []],
  [[3, 0], []],
])('shape %j is its text', (shape, elements) => {
  const array = printable('i32', shape, elements);
  expect(formatHtml(array, 'c')).toBe(`<figure><figcaption>c</figcaption><pre>${formatArray(array)}</pre></figure>`);
});

test('the caption is text', () => {
  const written = '&lt;img src=&quot;x&quot; alt=&#39;&amp;&#39;&gt;';
  for (const shape of [[1], [1, 1, 1]]) {
    const html = formatHtml(printable('u8', shape, [1]), `<img src="x" alt='&'>`);
    expect(html).toContain(`>${written}</`);
    expect(html).not.toContain('<img');
  }
});

test('a wrong option is an error', () => {
  const options: object = { digits: 1 };
  expect(() => formatHtml(printable('u8', [1], [1]), '', options)).toThrow("PrintOptions has no option 'digits'");
});
