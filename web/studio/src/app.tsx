/* The frame: head, steps, the screen, and the answer beside it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { BrandIcon } from "./parts/icons.tsx";
import { AnswerPanel } from "./parts/answer.tsx";
import { JobDrawer } from "./parts/job-drawer.tsx";
import { SCREENS, closeTable, goTo, redo, studio, undo, useStudio } from "./state/studio.ts";
import type { Screen } from "./state/studio.ts";
import { forget, keepNow } from "./state/keep.ts";
import { StartScreen } from "./screens/start.tsx";
import { TableScreen } from "./screens/table.tsx";
import { ColumnsScreen } from "./screens/columns.tsx";
import { HierarchiesScreen } from "./screens/hierarchies.tsx";
import { PromiseScreen } from "./screens/promise.tsx";
import { ExploreScreen } from "./screens/explore.tsx";
import { WhatIfScreen } from "./screens/whatif.tsx";
import { ReleaseScreen } from "./screens/release.tsx";
import { T } from "./texts.en.ts";

const BODIES: { [S in Screen]: () => any } = {
  table: TableScreen, columns: ColumnsScreen, hierarchies: HierarchiesScreen, promise: PromiseScreen,
  explore: ExploreScreen, whatif: WhatIfScreen, release: ReleaseScreen,
};

function ThemeChoice() {
  const [theme, setTheme] = useState("auto");
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <select aria-label={T.head.theme} value={theme} onChange={(e) => setTheme(e.currentTarget.value)}>
      {Object.entries(T.head.themes).map(([k, text]) => <option key={k} value={k}>{text}</option>)}
    </select>
  );
}

function Head() {
  const table = useStudio((s) => s.table);
  const past = useStudio((s) => s.past.length);
  const future = useStudio((s) => s.future.length);
  const kept = useStudio((s) => s.kept);
  const drawer = useStudio((s) => s.drawer);
  return (
    <header class="head">
      <span class="brand"><BrandIcon />{T.title}</span>
      {table && <bdi class="file" title={table.name}>{table.name}</bdi>}
      <span class="spring" />
      {table && (
        <>
          <button onClick={undo} disabled={past === 0} title="Ctrl+Z">{T.head.undo}</button>
          <button onClick={redo} disabled={future === 0} title="Ctrl+Y">{T.head.redo}</button>
          <button aria-expanded={drawer} onClick={() => studio.set({ drawer: !drawer })}>{T.head.job}</button>
          <button title={T.head.keepHelp} aria-pressed={kept} onClick={() => (kept ? forget() : keepNow())}>{kept ? T.head.kept : T.head.keep}</button>
          <button onClick={closeTable}>{T.head.close}</button>
        </>
      )}
      <ThemeChoice />
    </header>
  );
}

function Steps() {
  const screen = useStudio((s) => s.screen);
  return (
    <nav class="nav" aria-label={T.head.steps}>
      <ol>
        {SCREENS.map((name) => (
          <li key={name}>
            <button aria-current={screen === name ? "step" : undefined} onClick={() => goTo(name)}>{T.screens[name]}</button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Notice() {
  const notice = useStudio((s) => s.notice);
  return (
    <div aria-live="polite">
      {notice && <div class="toast"><bdi>{notice}</bdi><button class="small" onClick={() => studio.set({ notice: "" })}>{T.error.close}</button></div>}
    </div>
  );
}

export function App() {
  const open = useStudio((s) => s.table !== null);
  const screen = useStudio((s) => s.screen);
  const drawer = useStudio((s) => s.drawer);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [screen]);
  const Body = BODIES[screen];
  return (
    <div class={open ? "app" : "app start"}>
      <button class="skip" onClick={() => main.current?.focus()}>{T.skip}</button>
      <Head />
      {open && <Steps />}
      <main class="content" ref={main} tabIndex={-1}>{open ? <Body /> : <StartScreen />}</main>
      {open && <aside class="side" aria-label={T.answer.heading}><div><AnswerPanel /></div></aside>}
      {open && drawer && <JobDrawer />}
      <Notice />
    </div>
  );
}
