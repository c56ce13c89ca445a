// What the timeline's colours mean: a legend, and a colour for each span.

import { kEndings, kPhases } from './data';
import { number } from './format';
import { colour, colourCount, isDark } from './theme';
import type { TimelineModel } from './timeline_raster';

export interface Colouring {
  title: string;
  legend: { name: string; index: number }[];
  of: (span: number) => number;
}

const kGreyIndex = colourCount - 1;

/** The most frequent values get colours of their own, the rest share the grey. */
function ranked(
  count: number,
  names: string[],
  weight: (add: (value: number) => void) => void,
): { index: Uint8Array; legend: Colouring['legend'] } {
  const uses = new Float64Array(count);
  weight((value) => {
    uses[value]! += 1;
  });
  const order = Array.from(uses.keys())
    .filter((value) => uses[value]! > 0)
    .sort((a, b) => uses[b]! - uses[a]! || a - b);
  const index = new Uint8Array(count).fill(kGreyIndex);
  order.slice(0, kGreyIndex).forEach((value, place) => {
    index[value] = place;
  });
  const legend = order.slice(0, kGreyIndex).map((value, place) => ({ name: names[value] || 'none stated', index: place }));
  if (order.length > kGreyIndex) legend.push({ name: `${number(order.length - kGreyIndex)} others`, index: kGreyIndex });
  return { index, legend };
}

const sizeClass = (gpus: number): number =>
  gpus <= 1 ? 0 : gpus <= 2 ? 1 : gpus <= 4 ? 2 : gpus <= 8 ? 3 : gpus <= 16 ? 4 : gpus <= 32 ? 5 : 6;
const kSizes = ['1 GPU', '2', '3\u20134', '5\u20138', '9\u201316', '17\u201332', 'more than 32'];

/** `policy` is the place of the run's policy among those of the report, and its name. */
export function colourings(model: TimelineModel, policy: { index: number; name: string }): Colouring[] {
  const { spans, jobs, run } = model;
  const models = ranked(run.models.length, run.models, (add) => {
    for (let job = 0; job < jobs.count; ++job) add(jobs.model[job]!);
  });
  const fixed = (names: string[]): Colouring['legend'] => names.map((name, index) => ({ name, index }));
  return [
    { title: 'model', legend: models.legend, of: (span) => models.index[jobs.model[spans.job[span]!]!]! },
    {
      title: 'state',
      legend: [1, 0, 2, 3].map((phase) => ({ name: kPhases[phase]!, index: [1, 0, 3, 5][phase]! })),
      of: (span) => [1, 0, 3, 5][spans.phase[span]!]!,
    },
    {
      title: 'how it ends',
      legend: kEndings.map((name, ending) => ({ name, index: [0, 2, 7, 5, 1, 3, 4][ending]! })).slice(1),
      of: (span) => [0, 2, 7, 5, 1, 3, 4][model.spans.ending[model.lastSpan(span)]!]!,
    },
    { title: 'size', legend: fixed(kSizes), of: (span) => sizeClass(jobs.gpus[spans.job[span]!]!) },
    {
      title: 'GPU type',
      legend: run.types.map((type, index) => ({ name: type.name, index: index % colourCount })),
      of: (span) => spans.type[span]! % colourCount,
    },
    { title: 'policy', legend: [{ name: policy.name, index: policy.index % colourCount }], of: () => policy.index % colourCount },
  ];
}

/** "#rrggbb" as a pixel, mixed with `towards` by `share`. */
export function pixel(hex: string, towards = hex, share = 0): number {
  const part = (text: string, at: number): number => parseInt(text.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(part(hex, at) * (1 - share) + part(towards, at) * share));
  return ((255 << 24) | (mixed[2]! << 16) | (mixed[1]! << 8) | mixed[0]!) >>> 0;
}

export const kPaper = {
  light: { background: '#ffffff', empty: '#eef0f3', waiting: '#e3d9c3' },
  dark: { background: '#16181d', empty: '#23262d', waiting: '#4a4433' },
};

export function palette(faded: boolean): Uint32Array {
  const paper = isDark() ? kPaper.dark : kPaper.light;
  return Uint32Array.from({ length: colourCount }, (_, index) => pixel(colour(index), paper.background, faded ? 0.65 : 0));
}
