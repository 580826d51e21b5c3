// The package in a browser: modules as files of a server, the engine in a worker, with threads where the
// page is isolated. Run by tests/web/browser.sh with PACKAGE, PATIENTS and BROWSER.
import assert from "node:assert";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { job, mingle, patients } from "../../web/mingle/test/support.mjs";

const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm", html: "text/html" };
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** What the page does; it tells the server what came of it. */
async function inPage(job) {
    const { MingleError, createWorkerEngine } = await import("/dist/index.js");
    const engine = await createWorkerEngine();
    const table = await (await fetch("/patients.csv")).blob();
    const session = await engine.open("patients.csv", table, {});
    const made = {};
    for (const method of ["mingen", "mondrian", "cell"]) {
        const answer = await session.run("anonymize", { ...job, method, effort: "fast", output: "memory:r.csv" });
        made[method] = new TextDecoder().decode(answer.files["r.csv"]);
    }
    const control = new AbortController();
    const cancelled = await session.run("anonymize", { ...job, method: "cell", output: "memory:r.csv" },
        { signal: control.signal, onProgress: () => control.abort() }).then(() => "done", (error) => error.code);
    const check = await session.run("check", { qi: job.qi, rest: "insensitive" }); // opened again if need be
    const refused = await session.run("anonymize", { ...job, k: 10 ** 6, output: "memory:r.csv" })
        .then(() => false, (error) => error instanceof MingleError && error.refusal !== undefined);
    await session.close();
    const { threads } = await engine.capabilities();
    const { used } = await engine.memory();
    return { isolated: crossOriginIsolated, threads, made, cancelled, k: check.result.k, refused, used };
}

const PAGE = `<!doctype html><title>mingle</title><script type="module">
const tell = (said) => fetch("/told", { method: "POST", body: JSON.stringify(said) });
(${inPage})(${JSON.stringify(job)}).then(tell, (error) => tell({ error: error.message + " " + error.stack }));
</script>`;

function serve(headers, told) {
    return createServer((request, response) => {
        const answer = (type, body) => {
            response.writeHead(200, { "Content-Type": type, ...headers });
            response.end(body);
        };
        if (request.url === "/") return answer("text/html", PAGE);
        if (request.url === "/patients.csv") return answer("text/csv", Buffer.from(patients));
        if (request.url === "/told") {
            let body = "";
            request.on("data", (piece) => { body += piece; });
            request.on("end", () => {
                answer("text/plain", "");
                told(JSON.parse(body));
            });
            return;
        }
        const path = normalize(request.url);
        try {
            answer(TYPES[path.split(".").pop()], readFileSync(join(process.env.PACKAGE, path)));
        } catch {
            response.writeHead(404, headers);
            response.end();
        }
    });
}

/** Nothing that a browser does by itself when it is started first. */
const QUIET = ["browser.shell.checkDefaultBrowser", "datareporting.policy.dataSubmissionEnabled", "app.update.enabled",
    "browser.aboutwelcome.enabled", "extensions.update.enabled", "network.captive-portal-service.enabled",
    "network.connectivity-service.enabled", "app.normandy.enabled", "browser.safebrowsing.malware.enabled",
    "browser.safebrowsing.phishing.enabled"];

function start(browser, profile, address) {
    const chromium = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", `--user-data-dir=${profile}`, address];
    const firefox = ["--headless", "--no-remote", "--profile", profile, address];
    writeFileSync(join(profile, "user.js"), QUIET.map((name) => `user_pref("${name}", false);\n`).join(""));
    return spawn(browser, browser.includes("firefox") ? firefox : chromium, { stdio: "ignore", env: { ...process.env, HOME: profile } });
}

async function ask(headers) {
    const profile = mkdtempSync(join(tmpdir(), "mingle-browser-"));
    let server, browser;
    try {
        return await new Promise((resolve, reject) => {
            server = serve(headers, resolve);
            server.listen(0, "127.0.0.1", () => {
                browser = start(process.env.BROWSER, profile, `http://127.0.0.1:${server.address().port}/`);
                browser.on("error", reject);
                browser.on("exit", (code) => reject(new Error(`the browser has ended with ${code}`)));
            });
        });
    } finally {
        browser?.removeAllListeners("exit");
        const ended = new Promise((done) => browser?.once("exit", done) ?? done());
        browser?.kill();
        await ended;
        server?.closeAllConnections?.();
        server?.close();
        rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
}

const engine = await mingle.createEngine();
const session = await engine.open("patients.csv", patients, {});
for (const headers of [{}, ISOLATED]) {
    const said = await ask(headers);
    assert.strictEqual(said.error, undefined, said.error);
    assert.strictEqual(said.isolated, headers === ISOLATED);
    if (!said.isolated) assert.strictEqual(said.threads, 1);
    else assert.ok(said.threads > 1 || cpus().length === 1, `${said.threads} threads`);
    for (const [method, release] of Object.entries(said.made)) {
        const { files } = await session.run("anonymize", { ...job, method, effort: "fast", output: "memory:r.csv" });
        assert.strictEqual(release, new TextDecoder().decode(files["r.csv"]), method);
    }
    assert.ok(["cancelled", "done"].includes(said.cancelled), said.cancelled);
    assert.ok(said.k >= 1 && said.refused);
    assert.ok(said.used < 4096, `${said.used} bytes are left`);
    console.log(`ok - ${said.isolated ? "an isolated page" : "a page"}, ${said.threads} threads`);
}
