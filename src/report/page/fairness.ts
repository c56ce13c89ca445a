// Who waits for whom: finish-time fairness, and how jobs of different sizes fared.

import { Chart } from './charts';
import { type Run, figureValue } from './data';
import { h, section, table } from './dom';
import { duration, number, percent } from './format';
import type { Scenario } from './scenarios';
import { averageQuantiles, shareBelow, valueAt } from './statistics';
import { colour, dash } from './theme';

function rhoChart(scenarios: Scenario[]): HTMLElement | null {
  const curves = scenarios.map((scenario) => averageQuantiles(scenario.runs.map((run) => run.quantiles['rho'] ?? [])));
  const known = curves.filter((curve) => curve.length > 0);
  if (known.length === 0) return null;
  const high = Math.max(...known.map((curve) => curve[curve.length - 1]!), 2);
  const low = Math.max(Math.min(...known.map((curve) => curve[0]!)), high / 1e4);
  const x = Array.from({ length: 401 }, (_, at) => low * (high / low) ** (at / 400));
  return new Chart(() => ({
    title: 'Finish-time fairness \u03c1: right of 1, a job would have been better off on its own share',
    x: { label: '\u03c1 (logarithmic)', values: x, log: true },
    y: { label: 'share of jobs at or below', min: 0, max: 1, show: percent },
    lines: curves.map((curve, index) => ({
      label: scenarios[index]!.name,
      values: x.map((value) => (curve.length > 0 ? shareBelow(curve, value) : null)),
      colour: () => colour(index),
      dash: dash(index),
    })),
  })).element;
}

/** Sizes 1, 2, 3-4, 5-8, ...; pools apart. */
function sizeClass(gpus: number): number {
  return gpus === 0 ? -1 : Math.ceil(Math.log2(gpus));
}

function className(size: number): string {
  if (size < 0) return 'a whole pool';
  if (size < 2) return `${2 ** size} GPU${size === 0 ? '' : 's'}`;
  return `${2 ** (size - 1) + 1}\u2013${2 ** size} GPUs`;
}

function bySize(run: Run): HTMLElement | null {
  const { jobs } = run;
  if (!jobs) return null;
  const classes = new Map<number, { slowdown: number[]; queueing: number[]; rho: number[]; jobs: number; gpuHours: number }>();
  for (let job = 0; job < jobs.count; ++job) {
    const size = sizeClass(jobs.gpus[job]!);
    const known = classes.get(size) ?? { slowdown: [], queueing: [], rho: [], jobs: 0, gpuHours: 0 };
    classes.set(size, known);
    ++known.jobs;
    known.gpuHours += jobs.gpuSeconds[job]! / 3600;
    if (Number.isFinite(jobs.slowdown[job]!)) {
      known.slowdown.push(jobs.slowdown[job]!);
      known.queueing.push(jobs.queueing[job]! * run.tickS);
    }
    if (Number.isFinite(jobs.rho[job]!)) known.rho.push(jobs.rho[job]!);
  }
  const ascending = (values: number[]): number[] => values.sort((a, b) => a - b);
  const rows = [...classes.entries()]
    .sort(([a], [b]) => a - b)
    .map(([size, known]) => {
      const [slowdown, queueing, rho] = [ascending(known.slowdown), ascending(known.queueing), ascending(known.rho)];
      return [
        className(size),
        number(known.jobs),
        number(known.gpuHours),
        duration(valueAt(queueing, 0.5)),
        duration(valueAt(queueing, 0.9)),
        number(valueAt(slowdown, 0.5)),
        number(valueAt(slowdown, 0.9)),
        number(valueAt(rho, 0.5)),
        number(valueAt(rho, 0.9)),
      ];
    });
  return h(
    'div',
    {},
    h('h3', {}, 'By size of the job'),
    table(
      [
        'asked for',
        'jobs',
        'GPU-hours',
        'median queueing',
        '90 % queueing',
        'median slowdown',
        '90 % slowdown',
        'median \u03c1',
        '90 % \u03c1',
      ],
      rows,
      { 'aria-label': 'fairness by size of the job' },
    ),
  );
}

export function fairness(scenarios: Scenario[]): HTMLElement {
  const run = scenarios[0]!.runs[0]!;
  const jain = figureValue(run, 'jain_fairness');
  const told =
    scenarios.length === 1 && Number.isFinite(jain) ? ` Jain\u2019s index over 1/\u03c1 is ${number(jain)} (1 = all treated alike).` : '';
  return section(
    'fairness',
    'Fairness',
    `\u03c1 is completion time over the run time alone on a 1/n share of the cluster, n being the mean number of jobs present.${told}`,
    rhoChart(scenarios),
    scenarios.length === 1 ? bySize(run) : null,
  );
}
