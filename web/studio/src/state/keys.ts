/* Keys that work everywhere: undo and redo. Within a text field they are the field's own. */
import { redo, undo } from "./studio.ts";

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && ["text", "number", "search"].includes(target.type));
}

export function listenToKeys(): void {
  window.addEventListener("keydown", (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.altKey || isText(e.target)) return;
    const key = e.key.toLowerCase();
    if (key === "z" && !e.shiftKey) undo();
    else if (key === "y" || (key === "z" && e.shiftKey)) redo();
    else return;
    e.preventDefault();
  });
}
