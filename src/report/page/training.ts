// A real run: its loss, its speed beside the prediction, and what happened on the way.

import { Chart } from './charts';
import type { Run } from './data';
import { h, section, table } from './dom';
import { duration, number } from './format';
import { colour } from './theme';

type Fields = Record<string, unknown>;

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : NaN);
const asList = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

function lossChart(losses: unknown): HTMLElement | null {
  const values = Array.isArray(losses) ? losses.map((loss) => (typeof loss === 'number' ? loss : null)) : [];
  if (values.length < 2 || values.every((value) => value === null)) return null;
  return new Chart(() => ({
    title: 'Training loss',
    x: { label: 'step', values: values.map((_, step) => step + 1) },
    y: { label: 'mean over the global batch' },
    lines: [{ label: 'loss', values, colour: () => colour(0) }],
  })).element;
}

function steps(executed: Fields): HTMLElement {
  const predicted = (executed['predicted'] ?? {}) as Fields;
  const measured = (executed['measured'] ?? {}) as Fields;
  const parts: [string, string, string][] = [
    ['whole step', 'step_time_s', 'wall_step_time_s'],
    ['compute, slowest worker', 'compute_time_s', 'wall_compute_time_s'],
    ['communication', 'comm_time_s', 'wall_comm_time_s'],
    ['update', 'update_time_s', 'wall_update_time_s'],
  ];
  return table(
    ['a step', 'predicted', 'measured (median)'],
    parts.map(([title, expected, seen]) => [title, duration(asNumber(predicted[expected])), duration(asNumber(measured[seen]))]),
    { 'aria-label': 'a step by component' },
  );
}

function happenings(executed: Fields): HTMLElement | null {
  // "V100=1,P100=2" reads better as "1 V100 + 2 P100".
  const devices = (value: unknown): string =>
    String(value ?? '\u2013')
      .replace(/([^,=]+)=(\d+)/g, '$2 $1')
      .replaceAll(',', ' + ');
  const rows = [
    ...asList(executed['resizes']).map((each) => [
      asNumber(each['step']),
      'resize',
      `${devices(each['from'])} \u2192 ${devices(each['to'])}`,
      duration(asNumber(each['wall_pause_s'])),
    ]),
    ...asList(executed['failures']).map((each) => [
      asNumber(each['step']),
      'worker lost',
      String(each['reason'] ?? ''),
      duration(asNumber(each['wall_recovered_s'])),
    ]),
  ]
    .sort((a, b) => Number(a[0]) - Number(b[0]))
    .map(([step, ...rest]) => [number(Number(step)), ...rest]);
  return rows.length === 0 ? null : table(['at step', 'what', 'how', 'pause'], rows, { 'aria-label': 'resizes and failures' });
}

export function training(run: Run): HTMLElement | null {
  const { executed } = run;
  if (!executed) return null;
  const facts = [
    ['steps', number(asNumber(executed['steps']))],
    ['final loss', number(asNumber(executed['final_loss']))],
    ['throughput', `${number(asNumber(executed['throughput_samples_per_s']))} samples/s`],
    ['predicted', `${number(asNumber(executed['predicted_throughput_samples_per_s']))} samples/s`],
  ];
  return section(
    'training',
    'The run',
    'What real workers did, beside what the profile predicted.',
    h(
      'div',
      { class: 'cards' },
      ...facts.map(([name, value]) =>
        h('div', { class: 'card' }, h('span', { class: 'name' }, name!), h('span', { class: 'value' }, value!)),
      ),
    ),
    lossChart(executed['losses']),
    steps(executed),
    happenings(executed),
  );
}
