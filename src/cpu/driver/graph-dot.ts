import { writeFileSync } from 'node:fs';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { GraphNodeType } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import type { CpuGraph, GraphStore } from './graph-store.ts';
import type { Rows } from '../abi/rows.ts';

/** Graphs in the language of Graphviz. */
export const dotFunctions: Rows<GraphStore, DriverTable, 'cuGraphDebugDotPrint'> = {
  cuGraphDebugDotPrint: (store, raw, path) => {
    const graph = store.graphs.get(Number(raw));
    if (!graph) return Status.INVALID_VALUE;
    try {
      writeFileSync(path, dotOf(graph));
      return Status.SUCCESS;
    } catch {
      return Status.OPERATING_SYSTEM;
    }
  },
};

function dotOf({ nodes }: CpuGraph): string {
  const names = new Map(Object.entries(GraphNodeType).map(([name, type]) => [type as number, name]));
  const list = [...nodes.values()];
  const label = list.map(({ type }, i) => `  node_${i} [label="${i}\\n${names.get(type) ?? ''}"];`);
  const edges = list.flatMap(({ after }, i) => [...after].map((from) => `  node_${list.indexOf(from)} -> node_${i};`));
  return ['digraph dot {', ...label, ...edges, '}', ''].join('\n');
}
