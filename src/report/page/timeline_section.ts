// The timelines of a report: one, or two runs above each other that move together.

import type { Run } from './data';
import { choice, h, section } from './dom';
import { duration, number } from './format';
import type { Scenario } from './scenarios';
import { Timeline } from './timeline';

interface Shown {
  run: Run;
  name: string;
  index: number;
}

function withTimelines(scenarios: Scenario[]): Shown[] {
  return scenarios.flatMap((scenario, index) =>
    scenario.runs
      .filter((run) => run.spans !== null)
      .map((run) => ({
        run,
        name: scenario.runs.length > 1 ? `${scenario.name}, seed ${String(run.summary['seed'])}` : scenario.name,
        index,
      })),
  );
}

const leftOut = (run: Run): HTMLElement | null =>
  run.spansLeftOut === 0
    ? null
    : h(
        'p',
        { class: 'note' },
        `${number(run.spansLeftOut)} stretches of at most ${duration(run.longestLeftOutS)} are left out of this timeline: there are too many to hold.`,
      );

export function timelines(scenarios: Scenario[]): HTMLElement | null {
  const runs = withTimelines(scenarios);
  if (runs.length === 0) return null;
  const places = [h('div', {}), h('div', {})];
  const shown: (Timeline | null)[] = [null, null];
  const put = (place: number, index: number): void => {
    const chosen = runs[index];
    shown[place] = chosen ? new Timeline(chosen.run, { index: chosen.index, name: chosen.name }) : null;
    places[place]!.replaceChildren(
      ...(chosen
        ? [
            ...(runs.length > 1 ? [h('h3', {}, chosen.name)] : []),
            shown[place]!.element,
            ...[leftOut(chosen.run)].filter((note) => note !== null),
          ]
        : []),
    );
    for (const [self, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      if (shown[self]) shown[self].onTime = (from, to) => shown[other]?.showTime(from, to);
    }
  };
  put(0, 0);
  const names = runs.map((run) => run.name);
  const controls =
    runs.length > 1
      ? h(
          'div',
          { class: 'controls' },
          choice('run', names, (index) => put(0, index), 0, 'timeline-run'),
          choice('below it', ['none', ...names], (index) => put(1, index - 1), 0, 'timeline-other'),
        )
      : null;
  return section(
    'timeline',
    'Timeline',
    'Who held which GPUs when. Which GPU of its type a job ran on is not recorded: places are made up so that gangs stay together. Drag to move, Ctrl and the wheel (or the wheel, once clicked) to zoom, Shift and drag for a stretch; keys: + \u2212 0, arrows, [ and ] from job to job.',
    controls,
    ...places,
  );
}
