// node report_test.mjs MEDLEY [WORDS]: reports of small, hostile, many and compared runs, as a reader meets them in Chromium; with words,
// only the checks whose names hold them.
// Exit status 0: all checks hold; 1: some do not; 77: something that the test needs is not installed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, open, skip } from "./browser.mjs";

const program = process.argv[2];
const medley = (...args) =>
  execFileSync(program, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
if (!/^report page: yes$/m.test(medley("--version")))
  skip("this build has no report page");

const folder = mkdtempSync(join(tmpdir(), "medley-report-"));
const at = (name) => join(folder, name);
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
const cluster = "profiles/clusters/8xV100.yaml";
const elastic = [
  "--cluster",
  cluster,
  "--trace",
  "traces/virtualflow-elastic-20.csv",
  "--profiles",
  "profiles/virtualflow-elastic",
  "--startup-overhead",
  "75",
  "--resize-overhead",
  "60",
];
const kMostBytes = 25e6;

const mixedCluster = () => {
  writeFileSync(
    at("cluster.yaml"),
    `gpu_types:
  A100: {memory_gib: 40, price_usd_per_hour: 3.2, power_w: 400}
  V100: {memory_gib: 16, price_usd_per_hour: 2.48, power_w: 300}
  T4: {memory_gib: 16, price_usd_per_hour: 0.6, power_w: 70}
nodes:
  - {gpu: A100, gpus: 8, count: 40}
  - {gpu: V100, gpus: 8, count: 60}
  - {gpu: T4, gpus: 4, count: 50}
`,
  );
  return at("cluster.yaml");
};

const timelineOf = (page) => page.locator(".timeline canvas").first();
const visibleTime = async (page) =>
  timelineOf(page).evaluate(
    (canvas) => Number(canvas.dataset.to) - Number(canvas.dataset.from),
  );
const settled = (page) =>
  page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(done)),
      ),
  );

/** Every figure on the page is the summary's, and every figure of the summary that people ask for is on the page. */
async function figuresEqualSummary(page, summary) {
  const shown = await page
    .locator("#figures [data-field]")
    .evaluateAll((cells) =>
      cells.map((cell) => [
        cell.dataset.field,
        Number(cell.dataset.value),
        cell.textContent,
      ]),
    );
  assert.ok(shown.length >= 15, `${shown.length} figures are shown`);
  for (const [field, value, text] of shown) {
    assert.equal(value, summary[field], field);
    assert.match(text, /\d/, field);
  }
  for (const field of [
    "avg_jct_s",
    "median_jct_s",
    "p99_jct_s",
    "makespan_s",
    "utilization",
    "jain_fairness",
  ]) {
    assert.ok(
      shown.some(([name]) => name === field),
      `${field} is shown`,
    );
  }
}

async function ledgerEqualsSummary(page, summary) {
  const bins = await page
    .locator("[data-ledger]")
    .evaluateAll((cells) =>
      cells.map((cell) => [cell.dataset.ledger, Number(cell.dataset.value)]),
    );
  assert.equal(bins.length, 9);
  for (const [bin, value] of bins) {
    const expected = summary.ledger_gpu_seconds[bin];
    assert.ok(
      Math.abs(value - expected) <= 1e-9 * summary.ledger_gpu_seconds.total,
      `${bin}: ${value} instead of ${expected}`,
    );
  }
}

async function quantilesEqualSummary(page, summary) {
  const value = async (name) =>
    Number(
      await page
        .locator(`[data-quantile="${name}"]`)
        .getAttribute("data-value"),
    );
  for (const [name, field] of [
    ["jct_s:0.5", "median_jct_s"],
    ["jct_s:0.9", "p90_jct_s"],
    ["jct_s:0.99", "p99_jct_s"],
    ["queueing_s:0.5", "median_queueing_s"],
  ]) {
    const expected = summary[field];
    assert.ok(
      Math.abs((await value(name)) - expected) <= 1e-9 * Math.max(1, expected),
      field,
    );
  }
}

const checks = [];
const check = (name, act) => checks.push({ name, act });

check(
  "one run: figures, ledger and quantiles equal summary.json",
  async (browser) => {
    const page = await open(browser, at("wfs/report.html"));
    const summary = readJson(at("wfs/summary.json"));
    await figuresEqualSummary(page, summary);
    await ledgerEqualsSummary(page, summary);
    await quantilesEqualSummary(page, summary);
    assert.match(await page.title(), /wfs/);
    assert.equal(
      await page.locator(".chart canvas").count(),
      7,
      "every chart is drawn",
    );
    return page;
  },
);

check(
  "the timeline is zoomed by buttons, wheel and keys, and moved by dragging",
  async (browser) => {
    const page = await open(browser, at("wfs/report.html"));
    const canvas = timelineOf(page);
    await canvas.scrollIntoViewIfNeeded();
    await settled(page);
    const whole = await visibleTime(page);
    await page.getByRole("button", { name: "zoom in" }).click();
    await settled(page);
    assert.ok(
      Math.abs((await visibleTime(page)) - whole / 2) < 1e-6 * whole,
      "the button halves the visible time",
    );
    const box = await canvas.boundingBox();
    const scrolled = await page.evaluate(() => scrollY);
    await page.mouse.move(box.x + box.width / 2, box.y + 200);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await settled(page);
    const zoomed = await visibleTime(page);
    assert.ok(zoomed < whole / 3, "Control and the wheel zoom in");
    assert.equal(
      await page.evaluate(() => scrollY),
      scrolled,
      "and the page stays",
    );
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 150, box.y + 210, {
      steps: 3,
    });
    const before = await canvas.getAttribute("data-from");
    await page.mouse.move(box.x + box.width / 2 - 250, box.y + 210, {
      steps: 3,
    });
    await page.mouse.up();
    await settled(page);
    assert.ok(
      Number(await canvas.getAttribute("data-from")) > Number(before),
      "dragging moves",
    );
    assert.ok(
      Math.abs((await visibleTime(page)) - zoomed) < 1e-6 * whole,
      "and does not zoom",
    );
    await canvas.focus();
    await page.keyboard.press("-");
    await settled(page);
    assert.ok((await visibleTime(page)) > zoomed, "the key zooms out");
    await page.keyboard.press("0");
    await settled(page);
    assert.ok(
      Math.abs((await visibleTime(page)) - whole) < 1e-6 * whole,
      "0 shows everything",
    );
    return page;
  },
);

check(
  "a job is found by its id, by its model, and by keys",
  async (browser) => {
    const page = await open(browser, at("wfs/report.html"));
    const jobs = readFileSync(at("wfs/jobs.csv"), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
    const search = page.locator("[data-search]");
    const selected = () =>
      page.locator("[data-selected]").getAttribute("data-selected");
    await search.fill(jobs[7][0]);
    assert.equal(await selected(), jobs[7][0]);
    assert.match(
      await page.locator(".details").textContent(),
      new RegExp(jobs[7][1]),
    );
    const whole = readJson(at("wfs/summary.json")).makespan_s;
    await settled(page);
    assert.ok((await visibleTime(page)) < whole, "the view goes to the job");
    await search.fill(jobs[3][1]);
    const expected = jobs.filter((job) => job[1] === jobs[3][1]).length;
    assert.match(
      await page.locator(".found").textContent(),
      new RegExp(`of ${expected}$`),
    );
    await search.fill("no such job");
    assert.equal(await page.locator(".found").textContent(), "no job");
    await timelineOf(page).focus();
    await page.keyboard.press("]");
    assert.equal(await selected(), jobs[0][0]);
    return page;
  },
);

check(
  "every choice of rows and colours draws, and pointing at a job tells about it",
  async (browser) => {
    const page = await open(browser, at("wfs/report.html"));
    for (const rows of [1, 0]) {
      await page.locator("[data-choice=rows]").selectOption({ index: rows });
      for (let colours = 0; colours < 6; ++colours) {
        await page
          .locator("[data-choice=colour]")
          .selectOption({ index: colours });
        await settled(page);
        assert.ok(
          Number(await timelineOf(page).getAttribute("data-drawn")) >= 20,
        );
        assert.ok((await page.locator(".legend li").count()) > 0);
      }
    }
    await timelineOf(page).scrollIntoViewIfNeeded();
    const box = await timelineOf(page).boundingBox();
    await page.mouse.move(box.x + 200, box.y + 60);
    assert.match(await page.locator(".tip").textContent(), /^Job .*V100 for/);
    return page;
  },
);

check("light and dark follow the system and the switch", async (browser) => {
  const page = await open(browser, at("wfs/report.html"), {
    colorScheme: "dark",
  });
  const background = () =>
    page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor,
    );
  assert.equal(await background(), "rgb(22, 24, 29)");
  await page.getByRole("button", { name: "light or dark" }).click();
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.getByRole("button", { name: "light or dark" }).click();
  assert.equal(await background(), "rgb(22, 24, 29)");
  return page;
});

check(
  "a narrow window needs no sideways scrolling, and it prints",
  async (browser) => {
    const page = await open(browser, at("wfs/report.html"), {
      viewport: { width: 380, height: 800 },
      colorScheme: "dark",
    });
    assert.ok(
      (await page.evaluate(() => document.documentElement.scrollWidth)) <= 380,
    );
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 50_000, `${pdf.length} bytes`);
    return page;
  },
);

check("names that look like HTML stay names", async (browser) => {
  const evil = "</script><img src=x onerror=alert(1)>";
  const rows = [evil, "<!--", "emoji \u{1f680} \u202egnp", "&amp;\"'`${x}"].map(
    (id, index) =>
      `"${id.replaceAll('"', '""')}",${index},1,60,"<b>model ${index}</b>"`,
  );
  writeFileSync(
    at("evil.csv"),
    `job_id,submit_s,gpus,duration_s,model\n${rows.join("\n")}\n`,
  );
  medley(
    "simulate",
    "--cluster",
    cluster,
    "--trace",
    at("evil.csv"),
    "--policy",
    "fifo",
    "--out",
    at("evil"),
    "--report",
  );
  const page = await open(browser, at("evil/report.html"));
  assert.equal(await page.locator("img").count(), 0);
  await page.locator("[data-search]").fill(evil);
  assert.equal(
    await page.locator("[data-selected]").getAttribute("data-selected"),
    evil,
  );
  assert.match(await page.locator(".details").textContent(), /<b>model 0<\/b>/);
  return page;
});

check(
  "a comparison has every scenario, with intervals over its seeds",
  async (browser) => {
    medley(
      "compare",
      ...elastic,
      "--policies",
      "fifo;priority;wfs",
      "--seeds",
      "1,2,3",
      "--speed-noise",
      "0.2",
      "--what-if",
      "+8 V100",
      "--out",
      at("compared"),
      "--report",
    );
    const page = await open(browser, at("compared/report.html"));
    const { rows } = readJson(at("compared/comparison.json"));
    const cells = await page
      .locator("#figures td[data-field=avg_jct_s]")
      .evaluateAll((all) =>
        all.map((cell) => [
          Number(cell.dataset.value),
          cell.querySelector(".interval")?.textContent ?? "",
        ]),
      );
    assert.equal(cells.length, 6);
    rows.forEach((row, index) => {
      assert.ok(
        Math.abs(cells[index][0] - row.avg_jct_s) < 1e-9 * row.avg_jct_s,
        row.policy,
      );
      assert.match(cells[index][1], / to /);
    });
    assert.equal(await page.locator(".bars li").count(), 6);
    await page.locator("[data-choice=baseline]").selectOption({ index: 2 });
    await page
      .locator("[data-choice=timeline-other]")
      .selectOption({ index: 4 });
    assert.equal(await page.locator(".timeline canvas").count(), 2);
    await settled(page);
    await page.getByRole("button", { name: "zoom in" }).first().click();
    await settled(page);
    const times = await page
      .locator(".timeline canvas")
      .evaluateAll((all) =>
        all.map(
          (canvas) => Number(canvas.dataset.to) - Number(canvas.dataset.from),
        ),
      );
    assert.ok(
      Math.abs(times[0] - times[1]) < 1e-3 * times[0],
      "two timelines move together",
    );
    return page;
  },
);

check("results named one by one are a comparison too", async (browser) => {
  medley("simulate", ...elastic, "--policy", "fifo", "--out", at("fifo"));
  medley("report", at("wfs"), at("fifo"), "-o", at("both.html"));
  const page = await open(browser, at("both.html"));
  assert.deepEqual(await page.locator(".bars .name").allTextContents(), [
    "wfs",
    "fifo",
  ]);
  return page;
});

check("a hundred thousand jobs", async (browser) => {
  medley(
    "trace",
    "generate",
    "--jobs",
    "100000",
    "--load",
    "0.9",
    "--gpus",
    "1000",
    "--seed",
    "1",
    "-o",
    at("many.csv"),
  );
  medley(
    "simulate",
    "--cluster",
    mixedCluster(),
    "--trace",
    at("many.csv"),
    "--policy",
    "fifo",
    "--out",
    at("many"),
  );
  const began = Date.now();
  medley("report", at("many"));
  const wrote = Date.now() - began;
  const size = statSync(at("many/report.html")).size;
  assert.ok(size < kMostBytes, `${size} bytes`);
  const page = await open(browser, at("many/report.html"));
  await figuresEqualSummary(page, readJson(at("many/summary.json")));
  const canvas = timelineOf(page);
  await canvas.scrollIntoViewIfNeeded();
  await settled(page);
  const drawn = Number(await canvas.getAttribute("data-drawn"));
  const slowest = [];
  for (let step = 0; step < 8; ++step) {
    await page
      .getByRole("button", { name: step < 6 ? "zoom in" : "zoom out" })
      .click();
    await settled(page);
    slowest.push(Number(await canvas.getAttribute("data-draw-ms")));
  }
  await page.locator("[data-search]").fill("77777");
  assert.equal(
    await page.locator("[data-selected]").getAttribute("data-selected"),
    "77777",
  );
  const ready = await page.evaluate(
    () => document.documentElement.dataset.readyMs,
  );
  console.log(
    `   written in ${wrote} ms, ${(size / 1e6).toFixed(1)} MB, ready in ${ready} ms, ${drawn} spans drawn, slowest frame ${Math.max(...slowest)} ms`,
  );
  return page;
});

const browser = await launch();
medley(
  "simulate",
  ...elastic,
  "--policy",
  "wfs",
  "--out",
  at("wfs"),
  "--report",
  "--perfetto",
);
const chosen = checks.filter(({ name }) =>
  name.includes(process.argv[3] ?? ""),
);
let failed = 0;
for (const { name, act } of chosen) {
  try {
    const page = await act(browser);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
    console.log(`ok: ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}\n${error.stderr ?? ""}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
