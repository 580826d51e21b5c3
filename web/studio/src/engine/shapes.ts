/* Large results, made small within the worker. Nothing is judged here: figures are copied. */
import type { Shape } from "./types.ts";

export interface LatticeShape {
  columns: string[];
  heights: number[];
  measure: string;
  rows: number;
  total: number;
  holding: number;
  nodes: { levels: Uint8Array[]; height: Uint16Array; holds: Uint8Array; minimal: Uint8Array; suppressed: Float64Array; classes: Float64Array; utility: Float64Array };
}

function number(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}

export function shapeLattice(result: any): LatticeShape {
  const list: any[] = result.lattice ?? [];
  const columns: string[] = result.quasi_identifier ?? Object.keys(list[0]?.node ?? {});
  const n = list.length;
  const levels = columns.map(() => new Uint8Array(n));
  const heights = columns.map(() => 0);
  const nodes = {
    levels,
    height: new Uint16Array(n),
    holds: new Uint8Array(n),
    minimal: new Uint8Array(n),
    suppressed: new Float64Array(n),
    classes: new Float64Array(n),
    utility: new Float64Array(n),
  };
  list.forEach((entry, i) => {
    for (let j = 0; j < columns.length; j++) {
      const level: number = entry.node[columns[j]];
      levels[j][i] = level;
      if (level > heights[j]) heights[j] = level;
    }
    nodes.height[i] = entry.height;
    nodes.holds[i] = entry.holds ? 1 : 0;
    nodes.suppressed[i] = number(entry.suppressed_rows);
    nodes.classes[i] = number(entry.classes);
    nodes.utility[i] = number(entry.utility?.[result.measure]);
  });
  const numberOf = (level: (j: number) => number): number => columns.reduce((sum, _, j) => sum * (heights[j] + 1) + level(j), 0);
  const minimal = new Set((result.minimal_nodes ?? []).map((node: any) => numberOf((j) => node[columns[j]])));
  for (let i = 0; i < n; i++) nodes.minimal[i] = minimal.has(numberOf((j) => levels[j][i])) ? 1 : 0;
  return {
    columns, heights, nodes,
    measure: result.measure,
    rows: result.rows,
    total: result.nodes?.total ?? n,
    holding: result.nodes?.holding ?? 0,
  };
}

/* Of each result of `compare` what a point of the plane needs. */
export function shapePoints(result: any): any {
  const list: any[] = Array.isArray(result) ? result : [result];
  return list.map((r) => ({
    method: r.method,
    error: r.error ?? null,
    rows: r.rows,
    released_rows: r.released_rows,
    suppressed_rows: r.suppressed_rows,
    classes: r.classes,
    utility: r.utility,
    bound: r.bound,
    risk: r.risk,
    models: r.models,
    node: r.node,
    measure: r.measure,
  }));
}

export function reshape(shape: Shape, result: any): any {
  if (shape === "lattice") return shapeLattice(result);
  if (shape === "points") return shapePoints(result);
  if (shape === "leaks") return result.leaks ?? [];
  return result;
}
