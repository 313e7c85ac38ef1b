#!/usr/bin/env python3
"""predict --html in a headless Chromium: no console message, nothing fetched, numbers equal those of --json, nothing wider than a phone, all reachable by keyboard.
Without a Chromium the page is checked as text alone.

needs: nvcc
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = os.environ["COALESCE"], os.environ["ROOT"]
BROWSER = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
STRANGE = "a <b> & 'c' \"d\".cu"
CASES = [("benchmarks/idw.cu", []), ("benchmarks/nbody.cu", ["--tile", "64"]), ("benchmarks/corr.cu", ["--group", "data,symmat"]), (STRANGE, [])]
VOID = {"meta", "link", "br", "img", "input", "hr"}
errors = []


def check(condition, *what):
    if not condition:
        errors.append(" ".join(str(part) for part in what))


class Page(html.parser.HTMLParser):
    """Elements that are not closed, places of numbers, ids, links, and the JSON that the page carries."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.numbers, self.ids, self.links, self.fetched, self.tags = [], [], [], [], [], []
        self.data, self.pointer, self.scale, self.inside = "", None, 1, False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if tag not in VOID:
            self.open.append(tag)
        self.pointer, self.scale = attributes.get("data-json"), float(attributes.get("data-scale", 1))
        self.inside = tag == "script"
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes.get("href", ""))
        self.fetched += [value for name, value in attributes.items() if name in ("src", "srcset", "data", "action") or
                         (name == "href" and tag != "a" and value != "data:,")]

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        check(self.open and self.open[-1] == tag, "closes", tag, "but open are", self.open[-3:])
        if self.open:
            self.open.pop()
        self.pointer, self.inside = None, False

    def handle_data(self, text):
        if self.inside:
            self.data += text
        elif self.pointer:
            self.numbers.append((self.pointer, self.scale, text))


def at(value, pointer):
    for key in pointer.strip("/").split("/"):
        value = value[int(key) if isinstance(value, list) else key]
    return value


def check_numbers(where, page, data):
    check(len(page.numbers) >= 3 * sum(len(kernel["layouts"]) for kernel in data["kernels"]), where, "numbers:", len(page.numbers))
    for pointer, scale, text in page.numbers:
        value = scale * at(data, pointer)
        check(abs(float(text) - value) <= (0.0006 if scale == 1 else 0.06) + 1e-4 * abs(value), where, pointer, "is", text, "not", value)


def check_page(where, text, data):
    page = Page(text)
    check(not page.open, where, "not closed:", page.open)
    check(not page.fetched and "url(" not in text.replace("url(#arrow)", "") and "@import" not in text, where, "fetches", page.fetched)
    check(json.loads(page.data) == data, where, "carries other JSON than --json prints")
    check_numbers(where, page, data)
    check(all(link[1:] in page.ids for link in page.links), where, "a link to nowhere", set(page.links))
    check(len(set(page.ids) - {"arrow"}) == len([name for name in page.ids if name != "arrow"]), where, "an id twice")
    for tag, attributes in page.tags:
        check(tag != "svg" or attributes.get("aria-label"), where, "a picture without a name")
        check(attributes.get("class") != "wide" or attributes.get("tabindex") == "0", where, "a wide part that keys do not reach")
    lines = [attributes for tag, attributes in page.tags if tag == "td" and "title" in attributes]
    check(lines and all(line.get("tabindex") == "0" and line.get("data-waits") == line["title"] for line in lines), where, "waits that keys do not reach")
    for kernel in data["kernels"]:
        check("Confidence %s" % kernel["confidence"] in text or not any(row["record"] for row in kernel["layouts"]), where, "without its confidence")
    check("<details open" not in text, where, "shows a graph unasked")
    check(text.index('<h2 id="actions">') < text.index("Record ") if "Record " in text else True, where, "begins with something else than what to do")
    shown = re.findall(r"</b>: <code>[^<]+</code> in line \d+: [^<]+", text[text.find("The worst access"):])
    check(len(shown) == len(set(shown)) or len(data["kernels"]) > 1, where, "shows an access twice", shown)
    for part in ("prefers-color-scheme: dark", '<h2 id="words">', "@media print", "viewport", "<h2 id=\"source\">", "Control-flow graph", "<h2 id=\"assumptions\">"):
        check(part in text, where, "without", part)
    for kernel in data["kernels"]:
        for layout in {row["layout"] for row in kernel["layouts"]}:
            check(re.search(r"<td>%s(/\d+)?</td>" % layout, text), where, "without layout", layout)


def browse(url, *options):
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
                           "--user-data-dir=" + os.environ["TMPDIR"] + "/browser", *options, url],
                          capture_output=True, text=True, check=False, timeout=120)
    return done.stdout, re.findall(r".*CONSOLE.*", done.stderr)


def check_browser(where, path, text, folder):
    """The page in a frame as wide as a phone says how wide it would be."""
    frame = os.path.join(folder, "frame.html")
    escaped = text.replace("&", "&amp;").replace('"', "&quot;")
    with open(frame, "w", encoding="utf-8") as stream:
        stream.write('<!DOCTYPE html><title></title><iframe width="360" height="700" srcdoc="%s"></iframe><p id="wide"></p><script>'
                     'onload = () => { const root = document.querySelector("iframe").contentDocument.documentElement; '
                     'document.querySelector("#wide").textContent = root.scrollWidth + " of " + root.clientWidth; }</script>' % escaped)
    dom, messages = browse("file://" + frame, "--dump-dom", "--virtual-time-budget=2000")
    width = re.search(r'<p id="wide">(\d+) of (\d+)</p>', dom)
    check(width and int(width.group(1)) <= int(width.group(2)), where, "is wider than a phone:", width and width.group(0))
    dom, more = browse("file://" + path.replace(" ", "%20"), "--dump-dom")
    check(not messages and not more, where, "console:", messages + more)
    check(dom.count("<tr") == text.count("<tr") and dom.count("<svg") == text.count("<svg"), where, "the browser reads other rows or pictures")
    printed = os.path.join(folder, "page.pdf")
    browse("file://" + path.replace(" ", "%20"), "--print-to-pdf=" + printed)
    check(os.path.exists(printed) and os.path.getsize(printed) > 10000, where, "is not printed")


def run_page(path, *arguments):
    """What a command prints, and the page that it writes."""
    done = subprocess.run([PROGRAM, *arguments, "-q", "--json", "--html", path], cwd=ROOT, capture_output=True, text=True, check=False)
    check(done.returncode == 0, arguments, done.returncode, done.stderr)
    with open(path, encoding="utf-8") as stream:
        return json.loads(done.stdout), stream.read()


def check_batch(folder):
    path = os.path.join(folder, "batch.html")
    data, text = run_page(path, "batch", "--merge", "tests/golden/batch/figures.json")
    page = Page(text)
    check(not page.open and not page.fetched, "batch", page.open, page.fetched)
    check(json.loads(page.data) == data, "batch: the page carries other JSON than --json prints")
    check(len(page.numbers) >= 7 * len(data["models"]), "batch: numbers:", len(page.numbers))
    for pointer, _, number in page.numbers:
        check(abs(float(number) - at(data, pointer)) <= 6e-5, "batch", pointer, "is", number)
    times = sum(layout in case["predicted"][model] and time is not None
                for model in data["models"] for case in data["cases"] for layout, time in (case["measured"] or {}).items())
    check(text.count("<circle") == times, "batch:", text.count("<circle"), "points for", times, "times")
    check(all(link[1:] in page.ids for link in page.links), "batch: a link to nowhere", page.links)
    if BROWSER:
        check_browser("batch", path, text, folder)


def check_compare(folder):
    """The page of compare has a column of measured times, those that compare prints."""
    arguments = ["compare", "benchmarks/idw.cu", "--measured", "benchmarks/measured/nvidia-h200.json", "--case", "idw-16k"]
    data, text = run_page(os.path.join(folder, "compare.html"), *arguments)
    for layout in data["comparisons"][0]["layouts"]:
        check("<td>%.3f</td><td>%+.1f %%</td>" % (layout["measured_us"], 100 * (layout["predicted_us"] / layout["measured_us"] - 1)) in text,
              "compare: without the measured time of", layout["layout"])


def check_sweep(folder):
    """The page of a sweep draws each curve over all values, and names the crossovers of the JSON."""
    path = os.path.join(folder, "sweep.html")
    data, text = run_page(path, "predict", "tests/golden/sweep/scalar.cu", "--sweep", "n=4K:4M:x8")
    sweep, page = data["sweep"], Page(text)
    check(not page.open and not page.fetched and "sweep" in page.ids, "sweep", page.open, page.fetched)
    curves = re.findall(r'<polyline class="curve c\d" points="([^"]*)">', text)
    check(len(curves) == sum(len(choice["series"]) for choice in sweep["choices"]), "sweep:", len(curves), "curves")
    check(all(len(curve.split()) == 4 for curve in curves), "sweep: not four points each:", curves)
    for crossover in sweep["crossovers"]:
        check("from n = %d up" % crossover["at"] in text, "sweep: without the crossover", crossover)
    if BROWSER:
        check_browser("sweep", path, text, folder)


def main():
    os.environ.setdefault("TMPDIR", tempfile.gettempdir())
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(ROOT, "benchmarks/particles.cu"), os.path.join(folder, STRANGE))
        for index, (file, options) in enumerate(CASES):
            path, source = os.path.join(folder, "page%d.html" % index), os.path.join(folder, file) if file == STRANGE else file
            done = subprocess.run([PROGRAM, "predict", source, "-q", "--json", "--html", path] + options, cwd=ROOT, capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                errors.append("%s: %d %s" % (file, done.returncode, done.stderr))
                continue
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            check_page(file, text, json.loads(done.stdout))
            if BROWSER:
                check_browser(file, path, text, folder)
        check_batch(folder)
        check_compare(folder)
        check_sweep(folder)
    shutil.rmtree(os.environ["TMPDIR"] + "/browser", ignore_errors=True)
    print("\n".join(errors) if errors else "%d pages%s" % (len(CASES), "" if BROWSER else ", without a browser"))
    return 1 if errors else 0


sys.exit(main())
