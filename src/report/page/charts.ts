// Line and area charts over uPlot: one way to draw them all, redrawn when the theme or the width changes.

import uPlot from 'uplot';
import { h } from './dom';
import { number } from './format';
import { isPrinting, onTheme, theme } from './theme';

export interface Line {
  label: string;
  values: (number | null)[];
  colour: () => string;
  dash?: number[];
  width?: number;
  /** Filled down to the line before it (stacked areas) or to zero. */
  fill?: boolean;
  show?: (value: number) => string;
  /** What the legend says, where it is not what is drawn (of a stack: one layer). */
  told?: (number | null)[];
}

export interface ChartOptions {
  title: string;
  x: { label: string; values: number[]; log?: boolean; ticks?: number[]; show?: (value: number) => string };
  y: { label: string; min?: number; max?: number; show?: (value: number) => string };
  lines: Line[];
  stepped?: boolean;
  stacked?: boolean;
  /** Charts with the same key share their cursor. */
  sync?: string;
  height?: number;
}

/** Layers on top of each other: each line becomes the sum of those up to it. */
function stack(lines: Line[]): Line[] {
  const sums: number[] = [];
  return lines.map((line) => {
    const values = line.values.map((value, at) => (sums[at] = (sums[at] ?? 0) + (value ?? 0)));
    return { ...line, values: [...values], told: line.values };
  });
}

function axis(label: string, show: (value: number) => string, side: 'x' | 'y', fixed?: number[]): uPlot.Axis {
  const { soft, rule } = theme();
  return {
    label,
    labelSize: 22,
    labelFont: '12px system-ui, sans-serif',
    font: '12px system-ui, sans-serif',
    stroke: soft,
    grid: { stroke: rule, width: 1 },
    ticks: { stroke: rule, width: 1, size: 5 },
    ...(side === 'y' ? { size: 62 } : { size: 34 }),
    ...(fixed
      ? { splits: (_chart, _axis, low, high) => fixed.filter((tick) => tick >= low && tick <= high), filter: (_chart, ticks) => ticks }
      : {}),
    values: (_chart, ticks) => ticks.map((tick) => (tick === null ? '' : show(tick))),
  };
}

function series(line: Line, options: ChartOptions): uPlot.Series {
  const show = line.show ?? options.y.show ?? number;
  const paths = options.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined;
  return {
    label: line.label,
    stroke: line.colour(),
    width: line.width ?? (options.stacked ? 0.5 : 2),
    dash: line.dash ?? [],
    points: { show: false },
    ...(options.stacked ? { fill: line.colour() } : line.fill ? { fill: `${line.colour()}33` } : {}),
    ...(paths ? { paths } : {}),
    value: (_chart, value, _series, at) => {
      const told = at === null || at === undefined ? null : (line.told ?? line.values)[at];
      return told === null || told === undefined || (value === null && !line.told) ? '\u2013' : show(told);
    },
  } as uPlot.Series;
}

function build(host: HTMLElement, options: ChartOptions, width: number): uPlot {
  const lines = options.stacked ? stack(options.lines) : options.lines;
  const showX = options.x.show ?? number;
  const settings: uPlot.Options = {
    width,
    height: options.height ?? 260,
    cursor: { drag: { x: true, y: false }, points: { size: 6 }, ...(options.sync ? { sync: { key: options.sync } } : {}) },
    scales: {
      x: { time: false, ...(options.x.log ? { distr: 3, log: 10 } : {}) },
      y: { range: (_chart, low, high) => [options.y.min ?? low, options.y.max ?? (high > 0 ? high * 1.04 : 1)] },
    },
    axes: [axis(options.x.label, showX, 'x', options.x.ticks), axis(options.y.label, options.y.show ?? number, 'y')],
    series: [
      { label: options.x.label, value: (_chart, value) => (value === null ? '\u2013' : showX(value)) },
      ...lines.map((line) => series(line, options)),
    ],
    ...(options.stacked ? { bands: lines.slice(1).map((_, index) => ({ series: [index + 2, index + 1] as [number, number] })) } : {}),
    legend: { live: true },
  };
  return new uPlot(settings, [options.x.values, ...lines.map((line) => line.values)] as uPlot.AlignedData, host);
}

/** A figure with a chart that fills its width. `make` is asked again whenever colours change. */
export class Chart {
  readonly element: HTMLElement;
  private readonly host = h('div', { class: 'plot' });
  private plot: uPlot | null = null;
  private width = 0;

  constructor(private make: () => ChartOptions) {
    const { title } = make();
    this.element = h('figure', { class: 'chart', role: 'group', 'aria-label': title }, h('figcaption', {}, title), this.host);
    new ResizeObserver(() => this.fit()).observe(this.element);
    onTheme(() => this.draw());
  }

  change(make: () => ChartOptions): void {
    this.make = make;
    this.draw();
  }

  private fit(): void {
    const width = Math.floor(this.element.clientWidth);
    if (width === this.width || width === 0 || isPrinting()) return;
    this.width = width;
    if (this.plot) this.plot.setSize({ width, height: this.plot.height });
    else this.draw();
  }

  private draw(): void {
    const width = isPrinting() ? Math.floor(this.element.clientWidth) : this.width;
    if (width === 0) return;
    this.plot?.destroy();
    const options = this.make();
    this.element.querySelector('figcaption')!.textContent = options.title;
    this.plot = build(this.host, options, width);
  }
}
