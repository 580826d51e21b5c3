/* The tree of a hierarchy: to look at, and to edit by mouse or keyboard. */
import { useState } from "preact/hooks";
import { depth, group, groupsAt, keyPath, leavesOf, move, nodeAt, pathKey, rename, rowsOf } from "../state/tree.ts";
import type { Path, TreeNode } from "../state/tree.ts";
import { Choice, Field, TextInput, Value } from "./basics.tsx";
import { count } from "./format.ts";
import { T } from "../texts.en.ts";

const MOST_CHILDREN = 150;

interface Editing {
  marked: Set<string>;
  mark(key: string, on: boolean): void;
  drop(from: string, to: Path): void;
}

function Branch({ node, path, total, editing, openDepth }: { node: TreeNode; path: Path; total: number; editing: Editing | null; openDepth: number }) {
  const [open, setOpen] = useState(path.length < openDepth);
  const [over, setOver] = useState(false);
  const key = pathKey(path);
  const inner = (node.nodes?.length ?? 0) > 0;
  const rows = rowsOf(node);
  const dragging = editing && path.length > 0;
  return (
    <li>
      <div class={over ? "row tight over" : "row tight"} role="presentation" draggable={!!dragging}
        onDragStart={(e) => { e.stopPropagation(); e.dataTransfer?.setData("text/plain", key); }}
        onDragOver={(e) => { if (editing && inner) { e.preventDefault(); setOver(true); } }}
        onDragLeave={() => setOver(false)}
        onDrop={(e) => { setOver(false); if (editing && inner) { e.preventDefault(); e.stopPropagation(); editing.drop(e.dataTransfer?.getData("text/plain") ?? "", path); } }}>
        {inner
          ? <button class="plain small fold" aria-expanded={open} aria-label={node.label} onClick={() => setOpen(!open)}>{open ? "▾" : "▸"}</button>
          : <span class="fold" />}
        {dragging && <input type="checkbox" aria-label={`${T.hierarchies.mark}: ${node.label}`} checked={editing.marked.has(key)} onChange={(e) => editing.mark(key, e.currentTarget.checked)} />}
        <Value text={node.label} />
        {inner && <span class="soft small">{T.hierarchies.values(leavesOf(node))}</span>}
        <span class="spring" />
        <span class="bar" style={{ width: `${total > 0 ? (120 * rows) / total : 0}px` }} aria-hidden="true" />
        <span class="num small soft">{count(rows)}</span>
      </div>
      {inner && open && (
        <ul style={{ paddingLeft: "20px" }}>
          {node.nodes!.slice(0, MOST_CHILDREN).map((c, i) => <Branch key={`${i}${c.label}`} node={c} path={[...path, i]} total={total} editing={editing} openDepth={openDepth} />)}
          {node.nodes!.length > MOST_CHILDREN && <li class="soft small">{T.hierarchies.more(node.nodes!.length - MOST_CHILDREN)}</li>}
        </ul>
      )}
    </li>
  );
}

function Tools({ tree, marked, onChange }: { tree: TreeNode; marked: Path[]; onChange(t: TreeNode): void }) {
  const [target, setTarget] = useState("");
  const [name, setName] = useState("");
  const at = marked[0]?.length ?? 0;
  const same = marked.filter((p) => p.length === at);
  const groups = at > 1 ? groupsAt(tree, at - 1).slice(0, 500) : [];
  return (
    <div class="row" style={{ alignItems: "end" }}>
      {same.length === 1 && <Field label={T.hierarchies.rename}>{(id) => <TextInput id={id} value={nodeAt(tree, same[0]).label} onCommit={(v) => v && onChange(rename(tree, same[0], v))} />}</Field>}
      {groups.length > 1 && (
        <>
          <Choice label={T.hierarchies.move} value={target} onChange={setTarget} choices={[["", "–"], ...groups.map((p): [string, string] => [pathKey(p), nodeAt(tree, p).label])]} />
          <button disabled={target === ""} onClick={() => { onChange(move(tree, same, keyPath(target))); setTarget(""); }}>{T.hierarchies.moveHere}</button>
        </>
      )}
      {same.length > 0 && (
        <>
          <Field label={T.hierarchies.groupName}>{(id) => <input id={id} type="text" value={name} onInput={(e) => setName(e.currentTarget.value)} />}</Field>
          <button disabled={name === ""} onClick={() => { onChange(group(tree, same, name)); setName(""); }}>{T.hierarchies.newGroup}</button>
        </>
      )}
    </div>
  );
}

export function Tree({ tree, onChange }: { tree: TreeNode; onChange: ((t: TreeNode) => void) | null }) {
  const [marked, setMarked] = useState<Set<string>>(new Set());
  const put = (t: TreeNode) => { setMarked(new Set()); onChange?.(t); };
  const editing: Editing | null = onChange && {
    marked,
    mark: (key, on) => { const m = new Set(marked); if (on) m.add(key); else m.delete(key); setMarked(m); },
    drop: (from, to) => { const p = keyPath(from); if (from !== "" && p.length === to.length + 1) put(move(tree, marked.has(from) ? [...marked].map(keyPath).filter((q) => q.length === p.length) : [p], to)); },
  };
  const openDepth = leavesOf(tree) <= 40 ? depth(tree) : Math.max(1, depth(tree) - 1);
  return (
    <>
      {editing && marked.size > 0 && <Tools tree={tree} marked={[...marked].map(keyPath)} onChange={put} />}
      <div class="tree" tabIndex={0} role="region" aria-label={T.hierarchies.tree}><ul><Branch node={tree} path={[]} total={rowsOf(tree)} editing={editing} openDepth={openDepth} /></ul></div>
    </>
  );
}
