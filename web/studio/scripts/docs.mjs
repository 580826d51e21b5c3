/* docs/studio.md with pictures, as a page: node scripts/docs.mjs PAGE.md FOLDER. The pictures lie in the
 * folder (tests/pictures.mjs); a comment <!-- picture NAME: what it shows --> stands where each goes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const [source, folder] = process.argv.slice(2);
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/* What stands within a line; code first, since nothing in it means anything else. */
function line(text) {
  return text.split(/(`[^`]+`)/).map((part) => part.startsWith("`") && part.length > 2 ? `<code>${escaped(part.slice(1, -1))}</code>`
    : escaped(part).replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>").replace(/\*([^*]+)\*/g, "<em>$1</em>")).join("");
}

function picture(name, what) {
  if (!existsSync(`${folder}/${name}.png`)) throw new Error(`there is no picture ${name}`);
  return `<figure><img src="${name}.png" alt="${escaped(what)}"><figcaption>${line(what)}</figcaption></figure>`;
}

function block(text) {
  const heading = /^(#+) (.*)$/.exec(text);
  const shown = /^<!-- picture ([\w-]+): (.*) -->$/.exec(text);
  if (shown) return picture(shown[1], shown[2]);
  if (text.startsWith("<!--")) return "";
  if (heading) return `<h${heading[1].length}>${line(heading[2])}</h${heading[1].length}>`;
  return `<p>${line(text)}</p>`;
}

function page(text) {
  const out = [];
  let list = null;
  for (const row of text.split("\n").filter((r) => r.trim() !== "")) {
    const item = /^(-|\d+\.) (.*)$/.exec(row);
    const kind = item ? (item[1] === "-" ? "ul" : "ol") : null;
    if (list !== kind && list && !row.startsWith("<!-- picture")) out.push(`</${list}>`), (list = null);
    if (kind && !list) out.push(`<${kind}>`), (list = kind);
    if (item) out.push(`<li>${line(item[2])}</li>`);
    else if (list) out[out.length - 1] = out[out.length - 1].replace(/<\/li>$/, `${block(row)}</li>`); /* it belongs to its item */
    else out.push(block(row));
  }
  if (list) out.push(`</${list}>`);
  return out.join("\n");
}

const style = "body{font:16px/1.55 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1b2430}img{max-width:100%;border:1px solid #d9dee5;border-radius:8px}figure{margin:1rem 0}figcaption{color:#56616f;font-size:.9rem}";
writeFileSync(`${folder}/studio.html`, `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Mingle Studio</title><style>${style}</style>\n${page(readFileSync(source, "utf8"))}\n</html>\n`);
console.log(`${folder}/studio.html`);
