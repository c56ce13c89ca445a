// Intervals and quantiles.

export const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A small generator of its own (mulberry32), so that a report shows the same intervals whenever it is opened. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const kResamples = 2000;

/** 95 % percentile bootstrap (Efron 1979) of a statistic over `count` independent runs; none for fewer than two. */
export function bootstrap(count: number, statistic: (chosen: number[]) => number): [number, number] | null {
  if (count < 2) return null;
  const random = generator(count);
  const results = Array.from({ length: kResamples }, () => statistic(Array.from({ length: count }, () => Math.floor(random() * count))));
  results.sort((a, b) => a - b);
  return [valueAt(results, 0.025), valueAt(results, 0.975)];
}

/** Of ascending values, with linear interpolation. */
export function valueAt(ascending: ArrayLike<number>, fraction: number): number {
  if (ascending.length === 0) return NaN;
  const rank = fraction * (ascending.length - 1);
  const below = Math.floor(rank);
  const low = ascending[below]!;
  const high = ascending[Math.min(below + 1, ascending.length - 1)]!;
  return low + (high - low) * (rank - below);
}

/** The share of values at or below `value`, from quantiles at equal steps. */
export function shareBelow(quantiles: ArrayLike<number>, value: number): number {
  const last = quantiles.length - 1;
  let low = 0;
  let high = last + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (quantiles[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 0;
  if (low > last) return 1;
  const before = quantiles[low - 1]!;
  const after = quantiles[low]!;
  return (low - 1 + (after > before ? (value - before) / (after - before) : 0)) / last;
}

/** Quantiles averaged over runs, which keeps the shape of each (Vincent averaging). */
export function averageQuantiles(runs: ArrayLike<number>[]): number[] {
  const known = runs.filter((quantiles) => quantiles.length > 0);
  if (known.length === 0) return [];
  return Array.from({ length: known[0]!.length }, (_, index) => mean(known.map((quantiles) => quantiles[index]!)));
}
