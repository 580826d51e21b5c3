/* Builds dist/studio.html: one file with everything in it. Scripts and styles stand in the page and
 * are named by their hashes in its content security policy, so that nothing else can run; the
 * module is compressed. Call:
 *     node scripts/build.mjs [--engine FOLDER] [--output FILE.html] [--served] */
import { build } from "vite";
import { createHash } from "node:crypto";
import { gzipSync, constants } from "node:zlib";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const argument = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : otherwise;
};
const engine = resolve(argument("--engine", `${root}/../../build-wasm/mingle`), "dist");
const output = resolve(argument("--output", `${root}/dist/studio.html`));

/* Types come from the sources of the package web/mingle, the program from what was built of it. */
const package_of_engine = {
  name: "engine",
  enforce: "pre",
  resolveId: (id) => {
    const found = /\/mingle\/src\/(\w+)\.(ts|mjs)$/.exec(id);
    return found ? `${engine}/${found[1]}.${found[2] === "ts" ? "js" : "mjs"}` : null;
  },
};

async function bundle(entry) {
  const result = await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [package_of_engine],
    esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2022",
      cssMinify: true,
      modulePreload: false,
      lib: { entry: resolve(root, entry), formats: ["iife"], name: "mingleStudio" },
    },
  });
  const { output: parts } = Array.isArray(result) ? result[0] : result;
  const script = parts.find((p) => p.type === "chunk").code;
  const style = parts.filter((p) => p.type === "asset" && p.fileName.endsWith(".css")).map((p) => p.source).join("");
  return { script, style };
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
/* A script ends at its closing tag, wherever that stands. */
const inline = (text) => text.replace(/<\/(script|style)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");

/* The page that the program serves has no module in it, and may ask the program that served it; its
 * worker makes large results small. */
const served = process.argv.includes("--served");
const worker = await bundle(served ? "src/engine/shaper.ts" : "src/engine/worker.ts");
const page = await bundle("src/main.tsx");
const script = inline(page.script.trim());
const style = page.style.trim();
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}${served ? "" : " 'wasm-unsafe-eval'"}`,
  ...(served ? ["connect-src 'self'"] : []),
  "worker-src blob:",
  `style-src ${hash(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types mingle-worker",
].join("; ");
const parts = {
  POLICY: policy,
  ENGINE: served ? "native" : "wasm",
  STYLE: style,
  WORKER: JSON.stringify(worker.script).replace(/</g, "\\u003c"),
  VERSION: JSON.parse(readFileSync(`${root}/package.json`, "utf8")).version,
  MODULE: served ? "" : gzipSync(readFileSync(`${engine}/mingle.wasm`), { level: constants.Z_BEST_COMPRESSION }).toString("base64"),
  PAGE: script,
};
const html = readFileSync(`${root}/src/index.html`, "utf8").replace(/%([A-Z]+)%/g, (all, name) => parts[name] ?? all);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, html);
console.log(`${output}: ${(Buffer.byteLength(html) / 1e6).toFixed(2)} MB`);
