/** One row of CSV, as in RFC 4180. An undefined value is an empty cell. */
export function csvRow(cells: readonly (string | number | boolean | undefined)[]): string {
  return `${cells.map(cell).join(',')}\n`;
}

function cell(value: string | number | boolean | undefined): string {
  const text = value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
