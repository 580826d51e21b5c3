/* One state for the page, and a hook that shows a part of it. */
import { useEffect, useReducer, useRef } from "preact/hooks";

export interface Store<S> {
  get(): S;
  set(change: Partial<S> | ((s: S) => Partial<S>)): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<S extends object>(initial: S): Store<S> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...(typeof change === "function" ? change(state) : change) };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSelected<S extends object, T>(store: Store<S>, select: (s: S) => T): T {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const selectRef = useRef(select);
  selectRef.current = select;
  const value = select(store.get());
  const shown = useRef(value);
  shown.current = value;
  useEffect(() => {
    const look = () => {
      if (!Object.is(selectRef.current(store.get()), shown.current)) redraw(0);
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return value;
}
