// Scenarios side by side: ranked, with intervals over the seeds and differences from a baseline.

import { button, choice, h, section, table } from './dom';
import { type Figure, figureOf } from './figures';
import { change, range } from './format';
import { type Estimate, type Scenario, difference, estimate } from './scenarios';
import { colour, onTheme } from './theme';

const kColumns = [
  'avg_jct_s',
  'median_jct_s',
  'p99_jct_s',
  'makespan_s',
  'avg_queueing_s',
  'avg_bounded_slowdown',
  'utilization',
  'max_ftf_rho',
  'jain_fairness',
  'deadline_miss_fraction',
  'cost_usd',
  'energy_kwh',
  'preemptions',
  'resizes',
  'jobs_completed',
  'jobs_unfinished',
];

const kMostColumns = 6;

const interval = (of: Estimate, show: (value: number) => string): string =>
  of.low === null || of.high === null ? '' : range(show(of.low), show(of.high));

/** A figure that every scenario has, and where they differ or that nobody would want to miss. */
function knownFigures(scenarios: Scenario[]): Figure[] {
  return kColumns
    .map((field) => figureOf(field)!)
    .filter((figure) => scenarios.some((scenario) => Number.isFinite(estimate(scenario, figure.field).mean)));
}

function isBest(scenarios: Scenario[], scenario: Scenario, figure: Figure): boolean {
  if (figure.better === 'neither') return false;
  const values = scenarios.map((each) => estimate(each, figure.field).mean).filter(Number.isFinite);
  const best = figure.better === 'less' ? Math.min(...values) : Math.max(...values);
  return values.some((value) => value !== best) && estimate(scenario, figure.field).mean === best;
}

/** Better or worse in a word and a sign, since colour alone does not reach everybody. */
function verdict(of: Estimate, figure: Figure): { sign: string; look: string } {
  const certain = of.low === null || of.high === null || of.low > 0 || of.high < 0;
  if (figure.better === 'neither' || !Number.isFinite(of.mean) || of.mean === 0 || !certain) return { sign: '', look: 'even' };
  const better = of.mean < 0 === (figure.better === 'less');
  return better ? { sign: '\u25b2', look: 'better' } : { sign: '\u25bc', look: 'worse' };
}

function cell(scenarios: Scenario[], scenario: Scenario, baseline: Scenario, figure: Figure): HTMLTableCellElement {
  const of = estimate(scenario, figure.field);
  const against = difference(scenario, baseline, figure.field);
  const { sign, look } = verdict(against, figure);
  const best = isBest(scenarios, scenario, figure);
  return h(
    'td',
    { 'data-field': figure.field, 'data-value': of.mean, class: best ? 'best' : undefined },
    h(
      'span',
      { class: 'main' },
      Number.isFinite(of.mean) ? figure.show(of.mean) : '\u2013',
      best ? h('span', { class: 'tag' }, 'best') : null,
    ),
    of.low === null ? null : h('span', { class: 'interval' }, interval(of, figure.show)),
    scenario === baseline || !Number.isFinite(against.mean)
      ? null
      : h(
          'span',
          { class: look },
          `${sign} ${change(against.mean)}`,
          against.low === null ? '' : ` (${range(change(against.low), change(against.high!))})`,
        ),
  );
}

function bars(scenarios: Scenario[], figure: Figure): HTMLElement {
  const estimates = scenarios.map((scenario) => estimate(scenario, figure.field));
  const largest = Math.max(...estimates.map((of) => Math.max(of.mean, of.high ?? 0)).filter(Number.isFinite), 0) || 1;
  const order = scenarios.map((_, index) => index).filter((index) => Number.isFinite(estimates[index]!.mean));
  order.sort((a, b) => (estimates[a]!.mean - estimates[b]!.mean) * (figure.better === 'more' ? -1 : 1) || a - b);
  const share = (value: number): string => `${(100 * value) / largest}%`;
  return h(
    'ol',
    { class: 'bars' },
    ...order.map((index) => {
      const of = estimates[index]!;
      const bar = h('span', { class: 'bar', style: `width:${share(of.mean)};background:${colour(index)}` });
      const whisker =
        of.low === null ? null : h('span', { class: 'whisker', style: `left:${share(of.low)};width:${share(of.high! - of.low)}` });
      return h(
        'li',
        {},
        h('span', { class: 'name' }, scenarios[index]!.name),
        h('span', { class: 'track' }, bar, whisker),
        h('span', { class: 'value' }, figure.show(of.mean), of.low === null ? null : h('small', {}, ` ${interval(of, figure.show)}`)),
      );
    }),
  );
}

function asText(scenarios: Scenario[], figures: Figure[]): string {
  const lines = [['scenario', 'runs', ...figures.flatMap((figure) => [figure.field, `${figure.field}_low`, `${figure.field}_high`])]];
  for (const scenario of scenarios) {
    lines.push([
      scenario.name,
      String(scenario.runs.length),
      ...figures.flatMap((figure) => {
        const of = estimate(scenario, figure.field);
        return [of.mean, of.low ?? '', of.high ?? ''].map(String);
      }),
    ]);
  }
  return (
    lines.map((line) => line.map((text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')).join('\n') + '\n'
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  h('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

export function comparison(scenarios: Scenario[], rankedBy: string): HTMLElement {
  const figures = knownFigures(scenarios);
  const seeds = Math.max(...scenarios.map((scenario) => scenario.runs.length));
  const holder = h('div', {});
  const barHolder = h('div', {});
  let shown = Math.max(
    0,
    figures.findIndex((figure) => figure.field === rankedBy),
  );
  const fill = (baseline: number): void => {
    const titles = figures.map((figure) => h('span', { title: figure.means }, figure.title));
    const cellOf = (scenario: Scenario, figure: Figure): HTMLTableCellElement => cell(scenarios, scenario, scenarios[baseline]!, figure);
    // A few scenarios stand side by side, many below each other.
    const [head, rows] =
      scenarios.length <= kMostColumns
        ? [
            scenarios.map((scenario) => scenario.name),
            figures.map((figure, at) => [titles[at]!, ...scenarios.map((scenario) => cellOf(scenario, figure))]),
          ]
        : [titles, scenarios.map((scenario) => [scenario.name, ...figures.map((figure) => cellOf(scenario, figure))])];
    holder.replaceChildren(table(['', ...head], rows, { class: 'figures', 'aria-label': 'figures of all scenarios' }));
  };
  const fillBars = (): void => barHolder.replaceChildren(bars(scenarios, figures[shown]!));
  fill(0);
  fillBars();
  onTheme(fillBars);
  const lead =
    seeds > 1
      ? `Means over ${seeds} seeds, with 95 % bootstrap intervals; differences are paired by seed and marked only where their interval excludes zero.`
      : 'One seed each, so there are no intervals.';
  return section(
    'figures',
    'Side by side',
    `${lead} \u25b2 better, \u25bc worse than the baseline.`,
    h(
      'div',
      { class: 'controls' },
      choice(
        'ranked by',
        figures.map((figure) => figure.title),
        (index) => {
          shown = index;
          fillBars();
        },
        shown,
        'rank',
      ),
      choice(
        'baseline',
        scenarios.map((scenario) => scenario.name),
        fill,
        0,
        'baseline',
      ),
      button('Save as CSV', 'Save this table as CSV', () => save('comparison-figures.csv', asText(scenarios, figures))),
    ),
    barHolder,
    holder,
  );
}
