"""report_browser.py CHROMIUM PAGE: shows the page in a browser, narrow and wide, light and dark.

The browser must have nothing to complain about, the page must not be wider than its window, its
plots must have a size, and no text of a plot may lie outside of it or be without contrast.
"""
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile

chromium, page = sys.argv[1:]
source = open(page, encoding="utf-8").read()
# A copy with a script that measures; the page itself allows none.
probe = """<script>
const sum = (rgb) => { const c = rgb.match(/[\\d.]+/g).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; };
const contrast = (a, b) => { const [x, y] = [sum(a), sum(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05); };
const back = getComputedStyle(document.body).backgroundColor;
const wrong = [];
for (const svg of document.querySelectorAll('svg[role=img]')) {
    const own = svg.getBoundingClientRect();
    if (!(own.width > 200 && own.height > 10)) wrong.push('a plot of ' + own.width);
    for (const text of svg.querySelectorAll('text')) {
        const box = text.getBoundingClientRect();
        if (box.right > own.right + 14 || box.left < own.left - 14 || box.bottom > own.bottom + 3)
            wrong.push('outside: ' + text.textContent + ' ' + (box.left - own.left) + ' ' +
                (box.right - own.right));
    }
}
for (const e of document.querySelectorAll('p,h1,h2,h3,th,td,li,dd,dt,small,span,summary,a')) {
    const ratio = contrast(getComputedStyle(e).color, back);
    if (ratio < 4.5) wrong.push('contrast ' + ratio.toFixed(2) + ': ' + e.textContent.slice(0, 40));
}
for (const e of document.querySelectorAll('rect,circle.node'))
    if (contrast(getComputedStyle(e).fill.replace('none', back), back) < 3 &&
        contrast(getComputedStyle(e).stroke.replace('none', back), back) < 3)
        wrong.push('a shape without contrast: ' + e.getAttribute('class'));
document.title = JSON.stringify({window: innerWidth, page: document.documentElement.scrollWidth,
    dark: matchMedia('(prefers-color-scheme: dark)').matches, wrong: [...new Set(wrong)]});
</script></body>"""
copy = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", source)
copy = copy.replace("</body>", probe)
with open("probe.html", "w", encoding="utf-8") as out:
    out.write(copy)
failures = 0


def browse(path, width, dark, *options):
    profile = tempfile.mkdtemp(dir=".")
    got = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-first-run", "--enable-logging=stderr", f"--user-data-dir={profile}",
         f"--window-size={width},1000", f"--blink-settings=preferredColorScheme={0 if dark else 1}",
         *options, path],
        capture_output=True, text=True, timeout=120)
    shutil.rmtree(profile, ignore_errors=True)
    return got.stdout, [line for line in got.stderr.splitlines() if "CONSOLE" in line]


import os
here = "file://" + os.getcwd() + "/"
for width, darks in ((400, (True,)), (1400, (False, True))):
    for dark in darks:
        dom, _ = browse(here + "probe.html", width, dark, "--dump-dom")
        title = html.unescape(re.search(r"<title>(.*?)</title>", dom, re.S).group(1))
        found = json.loads(title)
        if found["wrong"] or found["page"] > found["window"] or found["window"] > width + 120 \
                or found["dark"] != dark:
            failures += 1
            print(f"at {width}, dark {dark}: {found}")
    dom, complaints = browse("file://" + os.path.abspath(page), width, False, "--dump-dom")
    if complaints or "</footer>" not in dom:
        failures += 1
        print(f"at {width}: {complaints or 'no page'}")
sys.exit(failures > 0)
