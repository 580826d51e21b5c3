/* A question besides the answer, asked by what shows it: again when its key changes, cancelled when
 * nobody looks any more. */
import { useEffect, useState } from "preact/hooks";
import { asError, isCancelled } from "../engine/types.ts";
import type { MingleError } from "../engine/types.ts";

export interface Asked<T> {
  value: T | null;
  error: MingleError | null;
  busy: boolean;
}

export function useAsk<V>(key: string | null, ask: (signal: AbortSignal) => Promise<V>, wait = 150): Asked<V> {
  const [state, setState] = useState<Asked<V>>({ value: null, error: null, busy: key !== null });
  useEffect(() => {
    if (key === null) {
      setState({ value: null, error: null, busy: false });
      return;
    }
    const controller = new AbortController();
    setState((s) => ({ ...s, busy: true }));
    const timer = setTimeout(() => {
      ask(controller.signal).then(
        (value) => !controller.signal.aborted && setState({ value, error: null, busy: false }),
        (error) => {
          if (controller.signal.aborted || isCancelled(error)) return;
          setState({ value: null, error: asError(error), busy: false });
        },
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return state;
}
