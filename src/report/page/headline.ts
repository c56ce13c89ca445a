// The figures of one run, as in its summary.json.

import type { Run } from './data';
import { figureValue } from './data';
import { h, section } from './dom';
import { number } from './format';
import { kFigureGroups } from './figures';

const kShownFirst = ['avg_jct_s', 'p99_jct_s', 'avg_queueing_s', 'utilization', 'makespan_s', 'cost_usd'];

export function headline(run: Run): HTMLElement {
  const figures = kFigureGroups.flatMap((group) => group.figures);
  const cards = kShownFirst
    .map((field) => figures.find((figure) => figure.field === field)!)
    .filter((figure) => Number.isFinite(figureValue(run, figure.field)))
    .map((figure) =>
      h(
        'div',
        { class: 'card', title: figure.means },
        h('span', { class: 'name' }, figure.title),
        h('span', { class: 'value' }, figure.show(figureValue(run, figure.field))),
      ),
    );
  const groups = kFigureGroups.map((group) => {
    const rows = group.figures
      .filter((figure) => Number.isFinite(figureValue(run, figure.field)))
      .map((figure) => {
        const value = figureValue(run, figure.field);
        return h(
          'div',
          { class: 'row', title: figure.means },
          h('dt', {}, figure.title),
          h('dd', { 'data-field': figure.field, 'data-value': value }, figure.show(value)),
        );
      });
    return rows.length === 0 ? null : h('div', { class: 'group' }, h('h3', {}, group.title), h('dl', {}, ...rows));
  });
  const notes = [
    run.summary['saturated'] === true
      ? 'The queue still grew when the last jobs arrived: means say how long the trace was, not how good the policy is.'
      : '',
    windowNote(run),
    figureValue(run, 'jobs_unfinished') > 0
      ? `${number(figureValue(run, 'jobs_unfinished'))} jobs had not finished at the end; they count with their time so far.`
      : '',
  ].filter((note) => note !== '');
  return section(
    'figures',
    'Figures',
    'One run with one seed, so there are no intervals: what the policy made of this trace. Hover over a figure for its definition.',
    ...notes.map((note) => h('p', { class: 'note' }, note)),
    h('div', { class: 'cards' }, ...cards),
    h('div', { class: 'groups' }, ...groups),
  );
}

function windowNote(run: Run): string {
  const window = run.summary['window'] as { first: number; last: number } | null | undefined;
  return window
    ? `Figures cover jobs ${number(window.first)} to ${number(window.last - 1)} in order of submission; the timeline shows all.`
    : '';
}
