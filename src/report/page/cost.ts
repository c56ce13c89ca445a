// What the GPU time cost, and what was paid for nothing.

import { Chart, type Line } from './charts';
import { type Run, figureValue, kHeldBins } from './data';
import { h, section, table } from './dom';
import { dollars, energy, hours, percent, unitFor } from './format';
import type { Scenario } from './scenarios';
import { colour, dash } from './theme';

const kWasted = ['startup', 'checkpoint', 'lost_work', 'communication_wait', 'resize'];

const heldHours = (run: Run, type: number): number => sum(run, type, (_, bin) => bin < kHeldBins);
const freeHours = (run: Run, type: number): number => sum(run, type, (name) => name === 'idle' || name === 'fragmented');
const wastedHours = (run: Run, type: number): number => sum(run, type, (name) => kWasted.includes(name));

function sum(run: Run, type: number, counts: (name: string, bin: number) => boolean): number {
  return run.ledger.bins.reduce((total, name, bin) => total + (counts(name, bin) ? run.ledger.total(type, bin) / 3600 : 0), 0);
}

const priceOf = (run: Run, type: number): number => run.types[type]!.price_usd_per_hour ?? NaN;

function costTable(run: Run): HTMLElement {
  const rows = run.types.map((type, index) => {
    const price = priceOf(run, index);
    const held = heldHours(run, index);
    return [
      type.name,
      `${type.gpus}`,
      Number.isFinite(price) ? `${dollars(price)}/h` : 'not known',
      hours(held),
      dollars(held * price),
      dollars(wastedHours(run, index) * price),
      dollars(freeHours(run, index) * price),
      percent(held / (held + freeHours(run, index))),
      energy(((type.power_w ?? NaN) * held) / 1000),
    ];
  });
  return table(['GPU type', 'GPUs', 'price', 'held', 'cost of held', 'of it overhead', 'cost of free', 'held share', 'energy'], rows, {
    'aria-label': 'cost by GPU type',
  });
}

/** Held GPU time times price, added up over time. */
function accrued(run: Run): Line[] {
  return run.types
    .map((type, index): Line => {
      let total = 0;
      const values = [
        0,
        ...Array.from({ length: run.ledger.stretches }, (_, stretch) => {
          for (let bin = 0; bin < kHeldBins; ++bin) total += (run.ledger.at(index, bin, stretch) / 3600) * (priceOf(run, index) || 0);
          return total;
        }),
      ];
      return { label: type.name, values, colour: () => colour(index), dash: dash(index) };
    })
    .filter((_, index) => Number.isFinite(priceOf(run, index)));
}

function accruedChart(run: Run): HTMLElement | null {
  const lines = accrued(run);
  if (lines.length === 0) return null;
  const [unit, name] = unitFor(run.endS);
  const times = [run.ledger.start[0] ?? 0, ...Array.from(run.ledger.end)].map((time) => time / unit);
  return new Chart(() => ({
    title: 'Cost of held GPUs so far, by type',
    x: { label: `time (${name})`, values: times },
    y: { label: 'USD', min: 0, show: dollars },
    lines,
    stacked: lines.length > 1,
  })).element;
}

function scenarioTable(scenarios: Scenario[]): HTMLElement {
  const rows = scenarios.map((scenario) => {
    const run = scenario.runs[0]!;
    const cost = figureValue(run, 'cost_usd');
    const free = run.types.reduce((total, _, type) => total + freeHours(run, type) * priceOf(run, type), 0);
    return [
      scenario.name,
      dollars(cost),
      dollars(free),
      dollars(cost + free),
      dollars(cost / figureValue(run, 'jobs_completed')),
      energy(figureValue(run, 'energy_kwh')),
    ];
  });
  return table(['scenario', 'held', 'free', 'whole cluster', 'held, per completed job', 'energy'], rows, {
    'aria-label': 'cost by scenario',
  });
}

export function cost(scenarios: Scenario[]): HTMLElement | null {
  const run = scenarios[0]!.runs[0]!;
  const known = scenarios.some((scenario) =>
    scenario.runs[0]!.types.some((type) => type.price_usd_per_hour !== null || type.power_w !== null),
  );
  if (!known) return null;
  const children = scenarios.length > 1 ? [scenarioTable(scenarios)] : [costTable(run), accruedChart(run)];
  return section(
    'cost',
    'Cost',
    'Held GPU time at the prices of the cluster file. \u201cFree\u201d is what an owner pays for GPUs that nobody held; overhead is held time that made no progress.',
    h('div', {}, ...children),
  );
}
