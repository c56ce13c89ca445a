// Runs that differ in their seed alone are one scenario.

import { type Run, figureValue } from './data';
import { bootstrap, mean } from './statistics';

export interface Scenario {
  name: string;
  runs: Run[];
}
export interface Estimate {
  mean: number;
  low: number | null;
  high: number | null;
}

const shorten = (value: string): string =>
  value
    .split('/')
    .pop()!
    .replace(/\.(csv|yaml|json)(\.gz|\.zst)?$/, '');
const kEmptyNames: Record<string, string> = { what_if: 'as it is' };

export function scenariosOf(runs: Run[]): Scenario[] {
  const names = [...new Set(runs.flatMap((run) => run.labels.map((label) => label.name)))].filter((name) => name !== 'seed');
  const value = (run: Run, name: string): string => run.labels.find((label) => label.name === name)?.value ?? '';
  const varying = names.filter((name) => new Set(runs.map((run) => value(run, name))).size > 1);
  // The policy is worth saying even where all have the same.
  const told = varying.length > 0 ? varying : names.filter((name) => name === 'policy' || name === 'job' || name === 'results').slice(0, 1);
  const scenarios = new Map<string, Scenario>();
  for (const run of runs) {
    const key = JSON.stringify(names.map((name) => value(run, name)));
    const name = told
      .map((label) => (value(run, label) === '' ? (kEmptyNames[label] ?? '') : shorten(value(run, label))))
      .filter((part) => part !== '')
      .join(' \u00b7 ');
    const scenario = scenarios.get(key) ?? { name: name || 'run', runs: [] };
    scenario.runs.push(run);
    scenarios.set(key, scenario);
  }
  return [...scenarios.values()];
}

export function estimate(scenario: Scenario, field: string): Estimate {
  const values = scenario.runs.map((run) => figureValue(run, field));
  if (values.some(Number.isNaN)) return { mean: NaN, low: null, high: null };
  const interval = bootstrap(values.length, (chosen) => mean(chosen.map((at) => values[at]!)));
  return { mean: mean(values), low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

/** How much larger the mean is than the baseline's, over the seeds that both have, resampled in pairs. */
export function difference(scenario: Scenario, baseline: Scenario, field: string): Estimate {
  const seedOf = (run: Run): string => String(run.summary['seed'] ?? '');
  const pairs: [number, number][] = [];
  for (const run of scenario.runs) {
    const other = baseline.runs.find((candidate) => seedOf(candidate) === seedOf(run));
    if (other) pairs.push([figureValue(run, field), figureValue(other, field)]);
  }
  if (pairs.length === 0 || pairs.flat().some(Number.isNaN)) return { mean: NaN, low: null, high: null };
  const ratio = (chosen: number[]): number => mean(chosen.map((at) => pairs[at]![0])) / mean(chosen.map((at) => pairs[at]![1])) - 1;
  const interval = bootstrap(pairs.length, ratio);
  return { mean: ratio(pairs.map((_, at) => at)), low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}
