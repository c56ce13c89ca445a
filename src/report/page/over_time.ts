// The cluster over time: utilization by GPU type, the queue, and where all GPU time went.

import { Chart, type ChartOptions, type Line } from './charts';
import { type Run, kHeldBins } from './data';
import { choice, h, section, table } from './dom';
import { hours, number, percent, unitFor } from './format';
import type { Scenario } from './scenarios';
import { colour, dash, ledgerColour } from './theme';

const kBinNames: Record<string, [string, string]> = {
  useful: ['useful', 'working on steps that count'],
  startup: ['start-up', 'held, before the first progress after a launch'],
  checkpoint: ['checkpoint', 'held while state is saved before a stop'],
  lost_work: ['lost work', 'worked on steps that had to be done again'],
  communication_wait: ['communication', 'waiting for communication inside a step'],
  resize: ['resize', 'gained in a resize that is not complete'],
  down: ['down', 'absent: nominal capacity that is not there'],
  fragmented: ['fragmented', 'free, while a job that would fit by count waits'],
  idle: ['idle', 'free otherwise'],
};

const binTitle = (bin: string): string => kBinNames[bin]?.[0] ?? bin;

/** Time since the trace's zero in the unit that suits its length. */
function timeAxis(seconds: ArrayLike<number>, end: number): { label: string; values: number[]; show: (value: number) => string } {
  const [unit, name] = unitFor(end);
  return { label: `time (${name})`, values: [...Array.from(seconds), end].map((value) => value / unit), show: (value) => number(value) };
}

/** Steps are drawn from each point to the next, so the last value is repeated at the end. */
const closed = (values: number[]): number[] => (values.length === 0 ? [] : [...values, values[values.length - 1]!]);

function heldShare(run: Run, type: number): number[] {
  const { ledger } = run;
  return Array.from({ length: ledger.stretches }, (_, stretch) => {
    let held = 0;
    let all = 0;
    for (let bin = 0; bin < ledger.bins.length; ++bin) {
      const amount = ledger.at(type, bin, stretch);
      if (ledger.bins[bin] === 'down') continue;
      all += amount;
      if (bin < kHeldBins) held += amount;
    }
    return all > 0 ? held / all : 0;
  });
}

function utilizationOptions(run: Run): ChartOptions {
  const lines: Line[] = run.types.map((type, index) => ({
    label: `${type.name} (${type.gpus})`,
    values: closed(heldShare(run, index)),
    colour: () => colour(index),
    dash: dash(index),
  }));
  return {
    title: 'Utilization by GPU type: GPUs held by jobs, of those present',
    x: timeAxis(run.ledger.start, lastOf(run.ledger.end)),
    y: { label: 'held', min: 0, max: 1.02, show: percent },
    lines,
    stepped: true,
    sync: 'time',
  };
}

const lastOf = (values: ArrayLike<number>): number => (values.length === 0 ? 0 : values[values.length - 1]!);

function queueOptions(run: Run): ChartOptions {
  return {
    title: 'Jobs in the system',
    x: timeAxis(run.load.start, lastOf(run.load.end)),
    y: { label: 'jobs', min: 0 },
    stepped: true,
    sync: 'time',
    lines: [
      { label: 'waiting', values: closed(Array.from(run.load.waiting)), colour: () => colour(5), fill: true },
      { label: 'running', values: closed(Array.from(run.load.running)), colour: () => colour(0), dash: dash(1) },
    ],
  };
}

/** `type` -1 is all types together. */
function amount(run: Run, type: number, bin: number, stretch: number): number {
  if (type >= 0) return run.ledger.at(type, bin, stretch);
  return run.types.reduce((sum, _, each) => sum + run.ledger.at(each, bin, stretch), 0);
}

function ledgerOptions(run: Run, type: number): ChartOptions {
  const { ledger } = run;
  const width = (stretch: number): number => ledger.end[stretch]! - ledger.start[stretch]!;
  const lines = ledger.bins.map(
    (name, bin): Line => ({
      label: binTitle(name),
      colour: () => ledgerColour(bin),
      values: closed(Array.from({ length: ledger.stretches }, (_, stretch) => amount(run, type, bin, stretch) / width(stretch))),
    }),
  );
  const used = lines.filter((line) => line.values.some((value) => (value ?? 0) > 0));
  return {
    title: `Where all GPU time goes: ${type < 0 ? 'all types' : run.types[type]!.name}`,
    x: timeAxis(ledger.start, lastOf(ledger.end)),
    y: { label: 'GPUs', min: 0 },
    lines: used,
    stepped: true,
    stacked: true,
    sync: 'time',
    height: 320,
  };
}

function ledgerTable(run: Run): HTMLElement {
  const totals = run.ledger.bins.map((_, bin) => run.types.map((_type, type) => run.ledger.total(type, bin)));
  const whole = totals.flat().reduce((sum, value) => sum + value, 0);
  const rows = run.ledger.bins.map((name, bin) => {
    const sum = totals[bin]!.reduce((left, right) => left + right, 0);
    return [
      h('span', { title: kBinNames[name]?.[1] ?? '' }, binTitle(name)),
      h('td', { 'data-ledger': name, 'data-value': sum }, hours(sum / 3600)),
      percent(whole > 0 ? sum / whole : NaN),
      ...totals[bin]!.map((value) => hours(value / 3600)),
      kBinNames[name]?.[1] ?? '',
    ];
  });
  return h(
    'details',
    { open: true },
    h('summary', {}, 'The ledger: every GPU-second falls into one bin'),
    table(['bin', 'GPU time', 'share', ...run.types.map((type) => type.name), 'meaning'], rows, {
      class: 'ledger',
      'aria-label': 'ledger of GPU time',
    }),
  );
}

/** One run; of a comparison, whichever is chosen. */
export function overTime(scenarios: Scenario[]): HTMLElement {
  const runs = scenarios.map((scenario) => scenario.runs[0]!);
  let run = runs[0]!;
  let type = -1;
  const utilization = new Chart(() => utilizationOptions(run));
  const queue = new Chart(() => queueOptions(run));
  const ledger = new Chart(() => ledgerOptions(run, type));
  const numbers = h('div', {}, ledgerTable(run));
  const types = h('span', {});
  const offerTypes = (): void =>
    types.replaceChildren(
      choice(
        'GPU type of the ledger',
        ['all types', ...run.types.map((each) => each.name)],
        (index) => {
          type = index - 1;
          ledger.change(() => ledgerOptions(run, type));
        },
        0,
        'ledger-type',
      ),
    );
  const choose = (index: number): void => {
    run = runs[index]!;
    type = -1;
    offerTypes();
    utilization.change(() => utilizationOptions(run));
    queue.change(() => queueOptions(run));
    ledger.change(() => ledgerOptions(run, type));
    numbers.replaceChildren(ledgerTable(run));
  };
  offerTypes();
  return section(
    'over-time',
    'The cluster over time',
    'Means over short stretches of time; the cursors of the charts move together. A rising queue beside free GPUs is what to look for.',
    h(
      'div',
      { class: 'controls' },
      runs.length > 1
        ? choice(
            'run',
            scenarios.map((scenario) => scenario.name),
            choose,
            0,
            'over-time-run',
          )
        : null,
      types,
    ),
    queuesTogether(scenarios),
    utilization.element,
    queue.element,
    ledger.element,
    numbers,
  );
}

/** All scenarios' queues in one chart, on a common grid of times. */
function queuesTogether(scenarios: Scenario[]): HTMLElement | null {
  if (scenarios.length < 2) return null;
  const runs = scenarios.map((scenario) => scenario.runs[0]!);
  const end = Math.max(...runs.map((run) => run.endS));
  const start = Math.min(...runs.map((run) => run.beginS));
  const kPoints = 600;
  const times = Array.from({ length: kPoints + 1 }, (_, at) => start + ((end - start) * at) / kPoints);
  const [unit, name] = unitFor(end);
  const sampled = (run: Run): number[] => {
    let at = 0;
    return times.map((time) => {
      while (at + 1 < run.load.start.length && run.load.start[at + 1]! <= time) ++at;
      return time <= lastOf(run.load.end) ? (run.load.waiting[at] ?? 0) : 0;
    });
  };
  return new Chart(() => ({
    title: 'Waiting jobs, all scenarios',
    x: { label: `time (${name})`, values: times.map((time) => time / unit) },
    y: { label: 'jobs', min: 0 },
    stepped: true,
    lines: runs.map((run, index) => ({
      label: scenarios[index]!.name,
      values: sampled(run),
      colour: () => colour(index),
      dash: dash(index),
    })),
  })).element;
}
