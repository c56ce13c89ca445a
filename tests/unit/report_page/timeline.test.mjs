import assert from "node:assert/strict";
import test from "node:test";
import { part } from "./parts.mjs";

const { Raster, TimelineModel } = await part("timeline_raster");
const kNever = 0xffffffff;

function generator(seed) {
  let state = seed;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}

/** Random spans that do not overlap on a lane, in order of their beginnings. */
function randomRun(seed) {
  const random = generator(seed);
  const lanes = [5, 3];
  const spans = [];
  let job = 0;
  lanes.forEach((count, type) => {
    for (let lane = 0; lane < count; ++lane) {
      for (let at = random(40); at < 900; ) {
        const length = 1 + random(80);
        spans.push({
          job: job++,
          begin: at,
          length,
          lane,
          lanes: 1,
          type,
          phase: random(4),
          ending: random(2),
        });
        at += length + random(30);
      }
    }
  });
  spans.sort((a, b) => a.begin - b.begin);
  const column = (Type, name) => Type.from(spans.map((span) => span[name]));
  const jobs = {
    count: job,
    submit: new Uint32Array(job),
    queueing: new Uint32Array(job).fill(kNever),
    run: new Uint32Array(job).fill(kNever),
  };
  const run = {
    types: lanes.map((count, type) => ({
      name: `T${type}`,
      gpus: count,
      lanes: count,
    })),
    beginS: 0,
    endS: 1000,
    tickS: 1,
    jobs,
    spans: {
      count: spans.length,
      job: column(Uint32Array, "job"),
      begin: column(Uint32Array, "begin"),
      length: column(Uint32Array, "length"),
      lane: column(Uint32Array, "lane"),
      lanes: column(Uint32Array, "lanes"),
      type: column(Uint8Array, "type"),
      phase: column(Uint8Array, "phase"),
      ending: column(Uint8Array, "ending"),
    },
  };
  return { run, spans };
}

test("every span that a view may show is visited, and few others", () => {
  for (let seed = 1; seed < 20; ++seed) {
    const { run, spans } = randomRun(seed);
    const model = new TimelineModel(run);
    for (const [from, to] of [
      [0, 1000],
      [100, 130],
      [500, 500],
      [990, 1000],
    ]) {
      const visited = [];
      model.visit({ from, to, top: 0, bottom: 9 }, (span) =>
        visited.push(span),
      );
      const expected = spans.flatMap((span, at) =>
        span.begin <= to && span.begin + span.length >= from ? [at] : [],
      );
      assert.deepEqual(visited, expected, `seed ${seed}`);
    }
  }
});

test("each pixel shows the span at its centre, or is empty", () => {
  for (let seed = 1; seed < 10; ++seed) {
    const { run, spans } = randomRun(seed);
    const model = new TimelineModel(run);
    const view = { from: 120, to: 620, top: 0, bottom: model.rows("gpus") };
    const raster = new Raster(1000, 41);
    raster.draw(model, view, "gpus", {
      palette: Uint32Array.from({ length: spans.length }, (_, at) => at + 10),
      of: (span) => span,
      background: 1,
      empty: 2,
      waiting: 3,
    });
    let wrong = 0;
    let right = 0;
    let covered = 0;
    for (let y = 0; y < 41; ++y) {
      for (let x = 0; x < 1000; ++x) {
        const time = 120 + (x + 0.5) / 2;
        const row = ((y + 0.5) * view.bottom) / 41;
        const here = spans.findIndex((span) => {
          const top = model.typeRows[span.type] + span.lane;
          // One pixel between spans shows what is behind them.
          return (
            row >= top &&
            row < top + 1 &&
            time >= span.begin &&
            time < span.begin + span.length - (span.length * 2 > 5 ? 0.5 : 0)
          );
        });
        const pixel = raster.pixels[y * 1000 + x];
        covered += here >= 0 ? 1 : 0;
        right += here >= 0 && pixel === here + 10 ? 1 : 0;
        if (here >= 0 ? pixel !== here + 10 && pixel > 2 : pixel > 2) ++wrong;
      }
    }
    assert.equal(wrong, 0, `seed ${seed}`);
    // The rest are the lines between rows.
    assert.ok(right > 0.7 * covered, `seed ${seed}: ${right} of ${covered}`);
    assert.equal(raster.drawn > 20, true);
  }
});

test("a span shorter than a pixel shows where nothing else does", () => {
  const { run } = randomRun(1);
  Object.assign(run.spans, {
    count: 1,
    job: Uint32Array.of(0),
    begin: Uint32Array.of(500),
    length: Uint32Array.of(1),
    lane: Uint32Array.of(0),
    lanes: Uint32Array.of(5),
    type: Uint8Array.of(0),
  });
  const model = new TimelineModel(run);
  const raster = new Raster(10, 8);
  raster.draw(
    model,
    { from: 0, to: 1000, top: 0, bottom: model.rows("gpus") },
    "gpus",
    {
      palette: Uint32Array.of(9),
      of: () => 0,
      background: 1,
      empty: 2,
      waiting: 3,
    },
  );
  assert.equal(raster.pixels.filter((pixel) => pixel === 9).length > 0, true);
});

test("the span under a point is found, and none beside it", () => {
  const { run, spans } = randomRun(4);
  const model = new TimelineModel(run);
  spans.forEach((span, at) => {
    assert.equal(
      model.spanAt(
        span.begin + span.length / 2,
        model.typeRows[span.type] + span.lane + 0.5,
        "gpus",
      ),
      at,
    );
  });
  assert.equal(model.spanAt(950, model.typeRows[2] + 5, "gpus"), -1);
});
