// threads.mjs is made by emscripten: make wasm.
import type { ModuleFactory } from "./module.js";
declare const factory: ModuleFactory;
export default factory;
