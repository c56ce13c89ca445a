// How completion time, queueing and slowdown are spread over the jobs.

import { Chart, type ChartOptions } from './charts';
import { choice, h, section, table } from './dom';
import { duration, kRoundDurations, number, percent } from './format';
import type { Scenario } from './scenarios';
import { averageQuantiles, shareBelow, valueAt } from './statistics';
import { colour, dash } from './theme';

interface Quantity {
  key: string;
  title: string;
  axis: string;
  show: (value: number) => string;
  floor: number;
}

const kQuantities: Quantity[] = [
  { key: 'jct_s', title: 'Job completion time', axis: 'completion time', show: duration, floor: 1 },
  { key: 'queueing_s', title: 'Queueing (first start \u2212 submission)', axis: 'queueing time', show: duration, floor: 1 },
  { key: 'slowdown', title: 'Bounded slowdown', axis: 'slowdown', show: number, floor: 1 },
];
const kTableShares = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1];
const kBars = 40;

type Form = 'cumulative' | 'histogram';

interface Curve {
  name: string;
  quantiles: number[];
}

const curvesOf = (scenarios: Scenario[], key: string): Curve[] =>
  scenarios.map((scenario) => ({ name: scenario.name, quantiles: averageQuantiles(scenario.runs.map((run) => run.quantiles[key] ?? [])) }));

/** Where the x axis runs: all values, on a logarithmic one from the floor or the smallest value. */
function range(curves: Curve[], quantity: Quantity, log: boolean): [number, number] {
  const all = curves.filter((curve) => curve.quantiles.length > 0);
  const high = Math.max(...all.map((curve) => curve.quantiles[curve.quantiles.length - 1]!), quantity.floor);
  const low = Math.min(...all.map((curve) => curve.quantiles[0]!), high);
  return log ? [Math.max(low, Math.min(quantity.floor, high / 10)), high * 1.001] : [Math.min(low, 0), high];
}

function grid([low, high]: [number, number], steps: number, log: boolean): number[] {
  return Array.from({ length: steps + 1 }, (_, at) => (log ? low * (high / low) ** (at / steps) : low + ((high - low) * at) / steps));
}

function options(scenarios: Scenario[], quantity: Quantity, form: Form, log: boolean): ChartOptions {
  const curves = curvesOf(scenarios, quantity.key);
  const x = grid(range(curves, quantity, log), form === 'histogram' ? kBars : 400, log);
  const cumulative = (curve: Curve): number[] => x.map((value) => shareBelow(curve.quantiles, value));
  const shares = (curve: Curve): (number | null)[] => {
    const below = cumulative(curve);
    return x.map((_, at) => (at === x.length - 1 ? null : below[at + 1]! - (at === 0 ? 0 : below[at]!)));
  };
  return {
    title: quantity.title,
    x: {
      label: `${quantity.axis}${log ? ' (logarithmic)' : ''}`,
      values: x,
      log,
      show: quantity.show,
      ...(log && quantity.show === duration ? { ticks: kRoundDurations } : {}),
    },
    y: {
      label: form === 'histogram' ? 'share of jobs in each bar' : 'share of jobs at or below',
      min: 0,
      ...(form === 'histogram' ? {} : { max: 1 }),
      show: percent,
    },
    stepped: form === 'histogram',
    lines: curves.map((curve, index) => ({
      label: curve.name,
      values: curve.quantiles.length === 0 ? x.map(() => null) : form === 'histogram' ? shares(curve) : cumulative(curve),
      colour: () => colour(index),
      dash: dash(index),
      fill: curves.length === 1 || form === 'histogram',
    })),
  };
}

function quantileTable(scenarios: Scenario[]): HTMLElement {
  const rows = kQuantities.flatMap((quantity) =>
    curvesOf(scenarios, quantity.key).map((curve) => [
      scenarios.length > 1 ? `${quantity.title}, ${curve.name}` : quantity.title,
      ...kTableShares.map((share) =>
        h(
          'td',
          { 'data-quantile': `${quantity.key}:${share}`, 'data-value': valueAt(curve.quantiles, share) },
          quantity.show(valueAt(curve.quantiles, share)),
        ),
      ),
    ]),
  );
  return h(
    'details',
    {},
    h('summary', {}, 'The same as numbers'),
    table(['', ...kTableShares.map((share) => (share === 1 ? 'largest' : `${number(share * 100)} %`))], rows, {
      'aria-label': 'quantiles',
    }),
  );
}

export function distributions(scenarios: Scenario[]): HTMLElement {
  let form: Form = 'cumulative';
  let log = true;
  const charts = kQuantities.map((quantity) => ({ quantity, chart: new Chart(() => options(scenarios, quantity, form, log)) }));
  const redraw = (): void => charts.forEach(({ quantity, chart }) => chart.change(() => options(scenarios, quantity, form, log)));
  const seeds = scenarios.some((scenario) => scenario.runs.length > 1) ? ' Quantiles are averaged over the seeds.' : '';
  return section(
    'distributions',
    'Distributions',
    `How the jobs fared, from the luckiest to the least lucky: a curve further to the left is better. Drag over a chart to look closer, double-click to come back.${seeds}`,
    h(
      'div',
      { class: 'controls' },
      choice('form', ['cumulative', 'histogram'], (index) => {
        form = index === 0 ? 'cumulative' : 'histogram';
        redraw();
      }),
      choice('axis', ['logarithmic', 'linear'], (index) => {
        log = index === 0;
        redraw();
      }),
    ),
    h('div', { class: 'grid' }, ...charts.map(({ chart }) => chart.element)),
    quantileTable(scenarios),
  );
}
