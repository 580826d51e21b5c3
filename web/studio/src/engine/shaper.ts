/* The worker of the page that the program serves: large results are parsed and made small here, so
 * that the page's own thread is not busy with them. */
import { reshape } from "./shapes.ts";
import type { ShapeReply, ShapeRequest } from "./messages.ts";

interface WorkerScope {
  postMessage(message: ShapeReply): void;
  onmessage: ((e: MessageEvent<ShapeRequest>) => void) | null;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { id, body, shape } }) => {
  try {
    const told = JSON.parse(new TextDecoder().decode(body));
    if (told.result !== undefined) told.result = reshape(shape, told.result);
    scope.postMessage({ id, told });
  } catch (error) {
    scope.postMessage({ id, told: { error: { status: 4, code: "internal", message: String((error as Error).message) } } });
  }
};
