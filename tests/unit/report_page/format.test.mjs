import assert from "node:assert/strict";
import test from "node:test";
import { part } from "./parts.mjs";

const { change, dollars, duration, number, percent, range } =
  await part("format");

test("durations come in the unit that suits them", () => {
  assert.deepEqual(
    [0, 0.0025, 1, 59, 60, 90, 120, 5400, 7200, 86400, 400000].map(duration),
    [
      "0 s",
      "2.5 ms",
      "1 s",
      "59 s",
      "1 min",
      "90 s",
      "2 min",
      "90 min",
      "2 h",
      "1 d",
      "4.63 d",
    ],
  );
  assert.equal(duration(NaN), "\u2013");
});

test("numbers have about four digits and separated thousands", () => {
  assert.deepEqual(
    [0, 0.01234, 12.345, 123.45, 1234.5, 98765.4, 1234567].map(number),
    ["0", "0.0123", "12.3", "123.5", "1,235", "98,765", "1.235M"],
  );
  assert.equal(dollars(1.5), "$1.5");
  assert.equal(percent(0.12345), "12.3 %");
});

test("changes say their sign, and a range its unit once", () => {
  assert.deepEqual([0.5, -0.034, 0, NaN].map(change), [
    "+50 %",
    "\u22123.4 %",
    "\u00b10 %",
    "\u2013",
  ]);
  assert.equal(range("53 min", "65 min"), "53 to 65 min");
  assert.equal(range("53 s", "65 min"), "53 s to 65 min");
  assert.equal(range("$1", "$2"), "$1 to $2");
});
