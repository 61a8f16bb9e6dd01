import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { root } from '../helpers/root.ts';

// At run time no module imports itself by way of others: .dependency-cruiser.js forbids it. Types still form some
// circles, and a reader of one file has to read the whole circle. A circle is a set of files that reach each other.

/** Files of each circle, the largest first. Lower the numbers when circles go or shrink; they are not to be raised. */
const MAX_SIZES: readonly number[] = [];

/** The files under src, and what each one imports, types included. */
function importGraph(): ReadonlyMap<string, readonly string[]> {
  const graph = new Map<string, readonly string[]>();
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const path = name.split(sep).join('/');
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, 'src', name), 'utf8'));
    const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
    graph.set(
      path,
      own.map(({ fileName }) => posix.join(posix.dirname(path), fileName)),
    );
  }
  return graph;
}

/** The strongly connected components of more than one file, by Tarjan's algorithm (1972). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    stack.push(file);
    open.add(file);
    let lowest = index;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.has(next)) lowest = Math.min(lowest, order.get(next) ?? Infinity);
    }
    if (lowest === index) {
      const circle = stack.splice(stack.indexOf(file));
      for (const member of circle) open.delete(member);
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles.sort((a, b) => b.length - a.length);
}

test('circles of types become fewer and smaller', () => {
  const graph = importGraph();
  expect(graph.size).toBeGreaterThan(500);
  const grown = circlesOf(graph).filter((circle, i) => circle.length > (MAX_SIZES[i] ?? 0));
  expect(grown).toEqual([]);
});

test('a circle is found however its files are reached', () => {
  const graph = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['a', 'e']],
    ['d', ['c']],
    ['e', ['f']],
    ['f', []],
  ]);
  expect(circlesOf(graph)).toEqual([['a', 'b', 'c', 'd']]);
});
