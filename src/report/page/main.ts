// The report: reads what the program put into the page and shows it, part by part.

import 'uplot/dist/uPlot.min.css';
import './style.css';
import { comparison } from './comparison';
import { cost } from './cost';
import { type ReportDocument, figureValue, labelOf, readDocument } from './data';
import { distributions } from './distributions';
import { button, h } from './dom';
import { fairness } from './fairness';
import { headline } from './headline';
import { overTime } from './over_time';
import { type Scenario, scenariosOf } from './scenarios';
import { startTheme, switchTheme } from './theme';
import { timelines } from './timeline_section';
import { training } from './training';

const kClasses: Record<string, string> = {
  oracle: 'knows run times',
  declared: 'knows what users declared',
  learned: 'knows only what it has seen',
};

function subtitle(report: ReportDocument, scenarios: Scenario[]): string {
  const run = report.runs[0]!;
  const gpus = run.types
    .filter((type) => type.gpus > 0)
    .map((type) => `${type.gpus} ${type.name}`)
    .join(' + ');
  if (report.runs.length > 1) return `${scenarios.length} scenarios, ${report.runs.length} runs`;
  const knows = kClasses[String(run.summary['information_class'])];
  const policy = labelOf(run, 'policy');
  return [policy && `policy ${policy}${knows ? ` (${knows})` : ''}`, gpus, `seed ${String(run.summary['seed'])}`]
    .filter((part) => part)
    .join(' \u00b7 ');
}

function head(report: ReportDocument, scenarios: Scenario[], sections: HTMLElement[]): HTMLElement {
  return h(
    'header',
    {},
    h('a', { class: 'skip', href: '#figures' }, 'Skip to the figures'),
    h(
      'div',
      { class: 'title' },
      h('div', {}, h('h1', {}, report.title), h('p', { class: 'subtitle' }, subtitle(report, scenarios))),
      h(
        'div',
        { class: 'buttons' },
        button('\u25d0', 'light or dark', switchTheme),
        button('print', 'print, or save as PDF', () => window.print()),
      ),
    ),
    h(
      'nav',
      { 'aria-label': 'parts of the report' },
      ...sections.map((part) => h('a', { href: `#${part.id}` }, part.querySelector('h2')!.textContent)),
    ),
  );
}

function foot(report: ReportDocument): HTMLElement {
  const options = report.runs[0]!.summary['policy_options'] as Record<string, string> | undefined;
  const told =
    report.runs.length === 1 && options && Object.keys(options).length > 0
      ? ` Policy options: ${Object.entries(options)
          .map(([key, value]) => `${key}=${value}`)
          .join(', ')}.`
      : '';
  return h(
    'footer',
    {},
    `Made by medley report from event logs alone; every figure can be recomputed from events.jsonl.${told} Times are seconds since the trace\u2019s zero, shown in larger units. Charts: uPlot (MIT licence).`,
  );
}

async function start(): Promise<void> {
  startTheme();
  const app = document.getElementById('app')!;
  try {
    const report = await readDocument();
    const scenarios = scenariosOf(report.runs);
    // One job, as of a real run, is no distribution.
    const many = report.runs.some((run) => figureValue(run, 'jobs_total') > 1);
    const parts = [
      report.runs.length > 1 ? comparison(scenarios, report.rankedBy) : headline(report.runs[0]!),
      training(report.runs[0]!),
      many ? distributions(scenarios) : null,
      overTime(scenarios),
      timelines(scenarios),
      many ? fairness(scenarios) : null,
      cost(scenarios),
    ].filter((part): part is HTMLElement => part !== null);
    app.replaceChildren(head(report, scenarios, parts), h('main', {}, ...parts), foot(report));
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        document.documentElement.dataset['readyMs'] = performance.now().toFixed(0);
      }),
    );
  } catch (error) {
    app.replaceChildren(
      h('p', { class: 'note', role: 'alert' }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`),
    );
    throw error;
  }
}

void start();
