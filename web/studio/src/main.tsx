import { render } from "preact";
import "./style.css";
import { App } from "./app.tsx";
import { start } from "./state/studio.ts";
import { keepAnswering } from "./state/live.ts";
import { listenToKeys } from "./state/keys.ts";
import { keepUpToDate } from "./state/keep.ts";
import { T } from "./texts.en.ts";

document.title = T.title;
/* A file that is dropped beside the place for it would make the browser leave the page. */
for (const kind of ["dragover", "drop"])
  window.addEventListener(kind, (e) => e.preventDefault());

render(<App />, document.getElementById("app")!);
listenToKeys();
keepAnswering();
keepUpToDate();
void start();
