/** Rows under a head, columns as wide as their widest cell. Columns of numbers stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const right = head.map((_, i) => rows.length > 0 && rows.every((row) => /^(?:[\d.,]+|-|)$/.test(row[i] ?? '')));
  const line = (row: readonly string[]): string =>
    widths
      .map((width, i) => (right[i] === true ? (row[i] ?? '').padStart(width) : (row[i] ?? '').padEnd(width)))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Names and values in two columns. */
export function pairs(rows: readonly (readonly [name: string, value: string])[], indent = '  '): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`.trimEnd()).join('\n');
}

/** Bytes for people: `48 KiB`, `79.1 GiB`. */
export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** `1 kernel`, `2 kernels` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
