/* A hierarchy as a tree that is edited by hand. All leaves lie equally deep: what is moved goes to a
 * group of the same level. What comes out is judged by the library, like any hierarchy. */
export interface TreeNode {
  label: string;
  rows?: number;
  nodes?: TreeNode[];
  missing?: boolean;
}

/* The way from the top to a node: positions among the children. */
export type Path = number[];

export function nodeAt(tree: TreeNode, path: Path): TreeNode {
  return path.reduce((node, i) => node.nodes![i], tree);
}

export function depth(tree: TreeNode): number {
  return tree.nodes?.length ? 1 + depth(tree.nodes[0]) : 0;
}

export function pathKey(path: Path): string {
  return path.join("/");
}

export function keyPath(key: string): Path {
  return key === "" ? [] : key.split("/").map(Number);
}

export function rowsOf(node: TreeNode): number {
  if (typeof node.rows === "number") return node.rows;
  return (node.nodes ?? []).reduce((n, c) => n + rowsOf(c), 0);
}

export function leavesOf(node: TreeNode): number {
  return node.nodes?.length ? node.nodes.reduce((n, c) => n + leavesOf(c), 0) : 1;
}

function counted(node: TreeNode): TreeNode {
  if (!node.nodes?.length) return node;
  const nodes = node.nodes.map(counted);
  return { ...node, nodes, rows: nodes.reduce((n, c) => n + rowsOf(c), 0) };
}

/* Groups that lost all their members go, the top stays. */
function pruned(node: TreeNode, level: number): TreeNode | null {
  if (level === 0) return node;
  const nodes = (node.nodes ?? []).map((c) => pruned(c, level - 1)).filter((c): c is TreeNode => c !== null);
  return nodes.length > 0 ? { ...node, nodes } : null;
}

function leafLabels(node: TreeNode): string[] {
  return node.nodes?.length ? node.nodes.flatMap(leafLabels) : [node.label];
}

/* A group that was one value alone and has its name gets another one when it takes in more: a label
 * means the same values wherever it stands. */
function named(node: TreeNode): TreeNode {
  if (!node.nodes?.length) return node;
  const nodes = node.nodes.map(named);
  const leaves = leafLabels({ ...node, nodes });
  const borrowed = leaves.length > 1 && leaves.includes(node.label);
  return { ...node, nodes, label: borrowed ? nodes.map((n) => n.label).join(", ") : node.label };
}

function edited(tree: TreeNode, path: Path, change: (n: TreeNode) => TreeNode): TreeNode {
  if (path.length === 0) return change(tree);
  const [i, ...rest] = path;
  return { ...tree, nodes: tree.nodes!.map((c, j) => (j === i ? edited(c, rest, change) : c)) };
}

export function rename(tree: TreeNode, path: Path, label: string): TreeNode {
  return edited(tree, path, (n) => ({ ...n, label }));
}

/* Paths of the groups that could hold a node at this depth. */
export function groupsAt(tree: TreeNode, atDepth: number): Path[] {
  const found: Path[] = [];
  const walk = (node: TreeNode, path: Path): void => {
    if (path.length === atDepth) found.push(path);
    else node.nodes?.forEach((c, i) => walk(c, [...path, i]));
  };
  walk(tree, []);
  return found;
}

function taken(tree: TreeNode, paths: Path[]): { rest: TreeNode; nodes: TreeNode[] } {
  const keys = new Set(paths.map(pathKey));
  const nodes: TreeNode[] = [];
  const walk = (node: TreeNode, path: Path): TreeNode => {
    if (!node.nodes) return node;
    const kept: TreeNode[] = [];
    node.nodes.forEach((c, i) => {
      if (keys.has(pathKey([...path, i]))) nodes.push(c);
      else kept.push(walk(c, [...path, i]));
    });
    return { ...node, nodes: kept };
  };
  return { rest: walk(tree, []), nodes };
}

/* What is moved lies one level below the target, so that the way to the target stays what it is. */
export function move(tree: TreeNode, paths: Path[], target: Path): TreeNode {
  const height = depth(tree);
  const moved = paths.filter((p) => p.length === target.length + 1 && pathKey(p.slice(0, -1)) !== pathKey(target));
  const { rest, nodes } = taken(tree, moved);
  const grown = edited(rest, target, (n) => ({ ...n, nodes: [...(n.nodes ?? []), ...nodes] }));
  return counted(named(pruned(grown, height) ?? tree));
}

/* A new group of some nodes of one depth. Below the top there may be no level for it yet: then every
 * other node of that depth becomes a group of its own. */
export function group(tree: TreeNode, paths: Path[], label: string): TreeNode {
  const at = paths[0].length;
  const height = depth(tree);
  const { rest, nodes } = taken(tree, paths.filter((p) => p.length === at));
  const made: TreeNode = { label, nodes };
  if (at === 1) {
    const others = (rest.nodes ?? []).map((c) => ({ label: c.label, nodes: [c] }));
    return counted({ ...rest, nodes: [made, ...others] });
  }
  const parent = paths[0].slice(0, -2);
  const withGroup = edited(rest, parent, (n) => ({ ...n, nodes: [...(n.nodes ?? []), made] }));
  return counted(pruned(withGroup, height) ?? tree);
}

/* What the job gets as a file: the tree without its counts. */
export function treeFile(tree: TreeNode): string {
  const plain = ({ rows: _rows, nodes, ...node }: TreeNode): TreeNode => (nodes?.length ? { ...node, nodes: nodes.map(plain) } : node);
  return JSON.stringify(plain(tree), null, 1) + "\n";
}
