import assert from "node:assert/strict";
import test from "node:test";
import { part } from "./parts.mjs";

const { averageQuantiles, bootstrap, mean, shareBelow, valueAt } =
  await part("statistics");

/** A generator for tests (Park and Miller 1988). */
function generator(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

test("quantiles interpolate linearly, as the summary does", () => {
  assert.equal(valueAt([1, 2, 4], 0.5), 2);
  assert.equal(valueAt([1, 2, 4], 0.75), 3);
  assert.equal(valueAt([7], 0.9), 7);
  assert.ok(Number.isNaN(valueAt([], 0.5)));
});

test("the share below a value is the inverse of the quantile", () => {
  const random = generator(3);
  const quantiles = Array.from({ length: 1001 }, () => random() * 100).sort(
    (a, b) => a - b,
  );
  for (const fraction of [0, 0.123, 0.5, 0.9, 1])
    assert.ok(
      Math.abs(shareBelow(quantiles, valueAt(quantiles, fraction)) - fraction) <
        1e-9,
    );
  assert.equal(shareBelow(quantiles, -1), 0);
  assert.equal(shareBelow(quantiles, 101), 1);
});

test("a jump of the distribution counts all jobs of that value", () => {
  assert.equal(shareBelow([0, 0, 0, 1, 2], 0), 0.5);
  assert.equal(shareBelow([0, 0, 0, 1, 2], 0.5), 0.625);
});

test("quantiles of several runs are averaged rank by rank", () => {
  assert.deepEqual(averageQuantiles([[1, 2], [3, 6], []]), [2, 4]);
  assert.deepEqual(averageQuantiles([[]]), []);
});

test("a bootstrap interval needs two runs, is the same every time, and holds the mean", () => {
  const values = [3, 5, 4, 8, 6];
  const once = bootstrap(values.length, (chosen) =>
    mean(chosen.map((at) => values[at])),
  );
  assert.deepEqual(
    bootstrap(values.length, (chosen) => mean(chosen.map((at) => values[at]))),
    once,
  );
  assert.ok(once[0] < mean(values) && mean(values) < once[1]);
  assert.equal(
    bootstrap(1, () => 0),
    null,
  );
  assert.deepEqual(
    bootstrap(3, () => 2),
    [2, 2],
  );
});

// The percentile bootstrap of ten values is known to be somewhat too short: it covers about 90 % instead of 95 %.
test("an interval over ten runs covers the truth about as often as it should", () => {
  const random = generator(11);
  let covered = 0;
  for (let trial = 0; trial < 300; ++trial) {
    const values = Array.from(
      { length: 10 },
      () => random() + random() + random(),
    );
    const [low, high] = bootstrap(10, (chosen) =>
      mean(chosen.map((at) => values[at])),
    );
    covered += low <= 1.5 && 1.5 <= high ? 1 : 0;
  }
  assert.ok(covered / 300 > 0.84 && covered / 300 < 0.98, `${covered} of 300`);
});
