// The timeline of one run: a canvas that is zoomed, panned and searched with mouse, touch or keyboard.

import { type Run, kEndings, kJobStates, kNever, kPhases } from './data';
import { button, choice, h } from './dom';
import { dollars, duration, hours, number } from './format';
import { colour, colourCount, inkOn, isDark, isPrinting, onTheme, theme } from './theme';
import { type Colouring, colourings, kPaper, palette, pixel } from './timeline_colours';
import { Raster, type Rows, TimelineModel, type View } from './timeline_raster';

const kLeft = 92;
const kTop = 26;
const kHeight = 460;
const kMostScale = 2;
const kMostLabels = 400;

export class Timeline {
  readonly element: HTMLElement;
  /** Told the visible time, in seconds, after each change that the user made here. */
  onTime: (from: number, to: number) => void = () => undefined;
  private readonly model: TimelineModel;
  private readonly canvas = h('canvas', { tabindex: 0, role: 'img', 'aria-label': 'timeline' });
  private readonly tip = h('div', { class: 'tip', role: 'status', hidden: true });
  private readonly legend = h('ul', { class: 'legend' });
  private readonly details = h('div', { class: 'details', 'aria-live': 'polite' });
  private readonly found = h('span', { class: 'found', role: 'status' });
  private readonly colourings: Colouring[];
  private colouring: Colouring;
  private rows: Rows = 'gpus';
  private view: View;
  private selected = -1;
  private matches: number[] = [];
  private match = -1;
  private width = 0;
  private raster: Raster | null = null;
  private asked = false;

  constructor(
    readonly run: Run,
    policy: { index: number; name: string },
  ) {
    this.model = new TimelineModel(run);
    this.view = this.whole();
    this.colourings = colourings(this.model, policy);
    this.colouring = this.colourings[run.models.some((name) => name !== '') ? 0 : 3]!;
    this.canvas.setAttribute(
      'aria-label',
      `Timeline of ${number(run.jobs!.count)} jobs on ${run.types.map((type) => `${type.gpus} ${type.name}`).join(', ')}. Plus and minus zoom, arrows move, square brackets select the job before and after.`,
    );
    this.element = h(
      'div',
      { class: 'timeline' },
      this.controls(),
      h('div', { class: 'stage' }, this.canvas, this.tip),
      this.legend,
      this.details,
    );
    this.listen();
    new ResizeObserver(() => this.ask()).observe(this.element);
    onTheme(() => {
      this.fillLegend();
      isPrinting() ? this.draw() : this.ask();
    });
    this.fillLegend();
  }

  /** Shows this stretch of time, in seconds. */
  showTime(from: number, to: number): void {
    const ticks = (seconds: number): number => (seconds - this.run.beginS) / this.run.tickS;
    this.view = { ...this.view, from: ticks(from), to: ticks(to) };
    this.ask();
  }

  select(job: number): void {
    this.selected = job;
    this.fillDetails();
    if (job >= 0) this.reveal(job);
    this.ask();
  }

  // ---- Controls ----

  private controls(): HTMLElement {
    const search = h('input', {
      type: 'search',
      placeholder: 'job or model',
      'aria-label': 'find a job by its id or its model',
      'data-search': true,
      oninput: () => this.search(search.value),
      onkeydown: (event) => {
        if ((event as KeyboardEvent).key === 'Enter') this.step((event as KeyboardEvent).shiftKey ? -1 : 1);
      },
    });
    return h(
      'div',
      { class: 'controls' },
      choice(
        'rows',
        ['GPUs', 'jobs, in order of submission'],
        (index) => {
          this.rows = index === 0 ? 'gpus' : 'jobs';
          this.view = { ...this.whole(), from: this.view.from, to: this.view.to };
          this.ask();
        },
        0,
        'rows',
      ),
      choice(
        'colour by',
        this.colourings.map((each) => each.title),
        (index) => {
          this.colouring = this.colourings[index]!;
          this.fillLegend();
          this.ask();
        },
        this.colourings.indexOf(this.colouring),
        'colour',
      ),
      h('label', { class: 'choice' }, h('span', {}, 'find'), search),
      button('\u2039', 'the match before', () => this.step(-1)),
      button('\u203a', 'the next match', () => this.step(1)),
      this.found,
      h('span', { class: 'spring' }),
      button('\u2212', 'zoom out', () => this.zoom(2)),
      button('+', 'zoom in', () => this.zoom(0.5)),
      button('all', 'show everything', () => this.reset()),
    );
  }

  private search(text: string): void {
    const { jobs, models } = this.run;
    this.matches = [];
    this.match = -1;
    const wanted = text.trim().toLowerCase();
    if (wanted !== '') {
      const wantedModels = models.map((name) => name.toLowerCase().includes(wanted));
      const exact: number[] = [];
      for (let job = 0; job < jobs!.count; ++job) {
        const id = jobs!.id(job).toLowerCase();
        if (id === wanted) exact.push(job);
        else if (id.includes(wanted) || wantedModels[jobs!.model[job]!]) this.matches.push(job);
      }
      this.matches = [...exact, ...this.matches];
    }
    this.step(1);
    if (this.matches.length === 0) this.select(-1);
    this.found.textContent =
      wanted === '' ? '' : this.matches.length === 0 ? 'no job' : `${number(this.match + 1)} of ${number(this.matches.length)}`;
  }

  private step(by: number): void {
    if (this.matches.length === 0) return;
    this.match = (this.match + by + this.matches.length) % this.matches.length;
    this.found.textContent = `${number(this.match + 1)} of ${number(this.matches.length)}`;
    this.select(this.matches[this.match]!);
  }

  private fillLegend(): void {
    const waiting =
      this.rows === 'jobs'
        ? [h('li', {}, h('i', { style: `background:${(isDark() ? kPaper.dark : kPaper.light).waiting}` }), 'waiting')]
        : [];
    this.legend.replaceChildren(
      ...this.colouring.legend.map(({ name, index }) => h('li', {}, h('i', { style: `background:${colour(index)}` }), name)),
      ...waiting,
    );
  }

  private fillDetails(): void {
    if (this.selected < 0) {
      this.details.replaceChildren();
      return;
    }
    const { jobs, models, tickS, beginS, types } = this.run;
    const job = this.selected;
    const seconds = (ticks: number): number => ticks * tickS;
    const never = (ticks: number, show: (value: number) => string): string => (ticks === kNever ? '\u2013' : show(seconds(ticks)));
    const done = jobs!.run[job] !== kNever && jobs!.queueing[job] !== kNever;
    const facts: [string, string][] = [
      ['state', kJobStates[jobs!.state[job]!] ?? ''],
      ['model', models[jobs!.model[job]!] || 'not stated'],
      ['asked for', jobs!.gpus[job] === 0 ? 'a whole pool' : `${number(jobs!.gpus[job]!)} GPUs`],
      ['first ran on', types[jobs!.firstType[job]!]?.name ?? '\u2013'],
      ['submitted at', duration(beginS + seconds(jobs!.submit[job]!))],
      ['queueing', never(jobs!.queueing[job]!, duration)],
      ['completion time', done ? duration(seconds(jobs!.queueing[job]! + jobs!.run[job]!)) : '\u2013'],
      ['waiting in all', duration(jobs!.waiting[job]!)],
      ['slowdown', number(jobs!.slowdown[job]!)],
      ['\u03c1', number(jobs!.rho[job]!)],
      ['GPU time', hours(jobs!.gpuSeconds[job]! / 3600)],
      ['cost', dollars(jobs!.cost[job]!)],
      ['preemptions', number(jobs!.preemptions[job]!)],
      ['resizes', number(jobs!.resizes[job]!)],
    ];
    this.details.replaceChildren(
      h('h3', { 'data-selected': jobs!.id(job) }, `Job ${jobs!.id(job)}`),
      h('dl', {}, ...facts.map(([name, value]) => h('div', { class: 'row' }, h('dt', {}, name), h('dd', {}, value)))),
    );
  }

  // ---- The view ----

  private whole(): View {
    return { from: 0, to: this.model.length, top: 0, bottom: this.model.rows(this.rows) };
  }

  private reset(): void {
    this.move(this.whole());
  }

  private move(view: View): void {
    const shortest = Math.min(this.model.length, Math.max(this.model.length / 1e7, 4));
    const width = Math.min(Math.max(view.to - view.from, shortest), this.model.length);
    const from = Math.min(Math.max(view.from, 0), this.model.length - width);
    const rows = this.model.rows(this.rows);
    const height = Math.min(Math.max(view.bottom - view.top, Math.min(rows, 4)), rows);
    const top = Math.min(Math.max(view.top, 0), rows - height);
    this.view = { from, to: from + width, top, bottom: top + height };
    this.onTime(this.run.beginS + from * this.run.tickS, this.run.beginS + (from + width) * this.run.tickS);
    this.ask();
  }

  /** About a point of the canvas, given as shares of its width and height. */
  private zoom(factor: number, x = 0.5, y = 0.5, rowsToo = false): void {
    const { from, to, top, bottom } = this.view;
    const scaled = (low: number, high: number, at: number, by: number): [number, number] => {
      const centre = low + (high - low) * at;
      return [centre - (centre - low) * by, centre + (high - centre) * by];
    };
    const [left, right] = scaled(from, to, x, factor);
    const [up, down] = rowsToo ? scaled(top, bottom, y, factor) : [top, bottom];
    this.move({ from: left, to: right, top: up, bottom: down });
  }

  private pan(x: number, y: number): void {
    const { from, to, top, bottom } = this.view;
    this.move({
      from: from + x * (to - from),
      to: to + x * (to - from),
      top: top + y * (bottom - top),
      bottom: bottom + y * (bottom - top),
    });
  }

  /** Brings a job into view: its whole life, with room on both sides, and rows high enough to be seen. */
  private reveal(job: number): void {
    const begin = this.model.jobs.submit[job]!;
    const end = Math.max(this.model.finish(job), begin + 1);
    const room = (end - begin) * 0.6;
    const rows = this.model.rows(this.rows);
    const row = this.rowOf(job);
    const height = Math.min(rows, Math.max(24, Math.min(this.view.bottom - this.view.top, rows / 8)));
    this.move({ from: begin - room, to: end + room, top: row - height / 2, bottom: row + height / 2 });
  }

  private rowOf(job: number): number {
    if (this.rows === 'jobs') return job;
    for (let span = 0; span < this.model.spans.count; ++span) if (this.model.spans.job[span] === job) return this.model.row(span, 'gpus');
    return 0;
  }

  // ---- Mouse, touch and keys ----

  private listen(): void {
    let dragged: { x: number; y: number; range: number | null } | null = null;
    let moved = false;
    this.canvas.addEventListener('pointerdown', (event) => {
      dragged = { x: event.offsetX, y: event.offsetY, range: event.shiftKey ? event.offsetX : null };
      moved = false;
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (!dragged) return this.point(event.offsetX, event.offsetY);
      moved ||= Math.abs(event.offsetX - dragged.x) + Math.abs(event.offsetY - dragged.y) > 3;
      if (dragged.range !== null || !moved) return;
      this.pan((dragged.x - event.offsetX) / this.plotWidth(), (dragged.y - event.offsetY) / this.plotHeight());
      dragged = { ...dragged, x: event.offsetX, y: event.offsetY };
    });
    this.canvas.addEventListener('pointerup', (event) => {
      if (dragged?.range !== null && dragged && moved) this.zoomTo(dragged.range!, event.offsetX);
      else if (dragged && !moved) this.pick(event.offsetX, event.offsetY);
      dragged = null;
    });
    this.canvas.addEventListener('pointerleave', () => {
      this.tip.hidden = true;
    });
    this.canvas.addEventListener('dblclick', (event) => this.zoom(0.4, ...this.shareOf(event.offsetX, event.offsetY)));
    // The page scrolls as ever until the timeline has been clicked into.
    this.canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return;
        event.preventDefault();
        if (event.shiftKey && !event.ctrlKey) this.pan((event.deltaY + event.deltaX) / 1000, 0);
        else
          this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), ...this.shareOf(event.offsetX, event.offsetY), event.altKey);
      },
      { passive: false },
    );
    this.canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || !this.key(event.key, event.shiftKey)) return;
      event.preventDefault();
    });
  }

  private key(key: string, shift: boolean): boolean {
    const acts: Record<string, () => void> = {
      ArrowLeft: () => this.pan(-0.2, 0),
      ArrowRight: () => this.pan(0.2, 0),
      ArrowUp: () => this.pan(0, -0.2),
      ArrowDown: () => this.pan(0, 0.2),
      '+': () => this.zoom(0.6, 0.5, 0.5, shift && key !== '+'),
      '=': () => this.zoom(0.6),
      '-': () => this.zoom(1 / 0.6),
      '0': () => this.reset(),
      PageUp: () => this.zoom(0.6, 0.5, 0.5, true),
      PageDown: () => this.zoom(1 / 0.6, 0.5, 0.5, true),
      '[': () => this.select(Math.max(0, this.selected - 1)),
      ']': () => this.select(Math.min(this.model.jobs.count - 1, this.selected + 1)),
      Escape: () => this.select(-1),
    };
    const act = acts[key];
    act?.();
    return act !== undefined;
  }

  private plotWidth(): number {
    return Math.max(1, this.width - kLeft);
  }
  private plotHeight(): number {
    return kHeight - kTop;
  }

  private shareOf(x: number, y: number): [number, number] {
    const clamp = (value: number): number => Math.min(1, Math.max(0, value));
    return [clamp((x - kLeft) / this.plotWidth()), clamp((y - kTop) / this.plotHeight())];
  }

  private zoomTo(x0: number, x1: number): void {
    const [a] = this.shareOf(Math.min(x0, x1), 0);
    const [b] = this.shareOf(Math.max(x0, x1), 0);
    const { from, to } = this.view;
    this.move({ ...this.view, from: from + a * (to - from), to: from + b * (to - from) });
  }

  private spanUnder(x: number, y: number): number {
    if (x < kLeft || y < kTop) return -1;
    const [across, down] = this.shareOf(x, y);
    const { from, to, top, bottom } = this.view;
    return this.model.spanAt(from + across * (to - from), top + down * (bottom - top), this.rows);
  }

  private pick(x: number, y: number): void {
    const span = this.spanUnder(x, y);
    this.selected = span < 0 ? -1 : this.model.spans.job[span]!;
    this.fillDetails();
    this.ask();
  }

  private point(x: number, y: number): void {
    const span = this.spanUnder(x, y);
    this.tip.hidden = span < 0;
    if (span < 0) return;
    const { spans, jobs } = this.model;
    const { run } = this;
    const job = spans.job[span]!;
    const ending = spans.ending[span]!;
    this.tip.replaceChildren(
      h('strong', {}, `Job ${jobs.id(job)}`),
      ` ${run.models[jobs.model[job]!] ?? ''}`,
      h('br'),
      `${kPhases[spans.phase[span]!]} on ${number(spans.lanes[span]!)} ${run.types[spans.type[span]!]!.name} for ${duration(spans.length[span]! * run.tickS)}`,
      h('br'),
      `from ${duration(run.beginS + this.model.begin(span) * run.tickS)}${ending === 0 ? '' : `, then ${kEndings[ending]}`}`,
    );
    this.tip.style.left = `${Math.min(x + 14, this.width - 240)}px`;
    this.tip.style.top = `${y + 16}px`;
  }

  // ---- Drawing ----

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  private draw(): void {
    const began = performance.now();
    this.width = Math.floor(this.element.clientWidth);
    if (this.width < kLeft + 50) return;
    const scale = isPrinting() ? kMostScale : Math.min(kMostScale, window.devicePixelRatio || 1);
    const context = this.canvas.getContext('2d')!;
    this.canvas.width = this.width * scale;
    this.canvas.height = kHeight * scale;
    const raster = this.rasterOf(Math.floor(this.plotWidth() * scale), Math.floor(this.plotHeight() * scale));
    const paper = isDark() ? kPaper.dark : kPaper.light;
    raster.draw(this.model, this.view, this.rows, {
      palette: palette(this.selected >= 0),
      of: this.colouring.of,
      background: pixel(paper.background),
      empty: pixel(paper.empty),
      waiting: pixel(paper.waiting),
    });
    context.putImageData(
      new ImageData(new Uint8ClampedArray(raster.pixels.buffer as ArrayBuffer), raster.width, raster.height),
      Math.round(kLeft * scale),
      Math.round(kTop * scale),
    );
    context.scale(scale, scale);
    context.font = '12px system-ui, sans-serif';
    this.drawTimes(context);
    this.drawRows(context);
    this.drawSelected(context);
    this.drawNames(context);
    this.report(raster.drawn, performance.now() - began);
  }

  private rasterOf(width: number, height: number): Raster {
    if (this.raster?.width !== width || this.raster.height !== height) this.raster = new Raster(width, height);
    return this.raster;
  }

  /** For whoever wonders how fast it is, and for tests. */
  private report(drawn: number, took: number): void {
    const { from, to } = this.view;
    Object.assign(this.canvas.dataset, {
      drawn: String(drawn),
      drawMs: took.toFixed(1),
      from: String(this.run.beginS + from * this.run.tickS),
      to: String(this.run.beginS + to * this.run.tickS),
    });
  }

  private xOf(ticks: number): number {
    return kLeft + ((ticks - this.view.from) / (this.view.to - this.view.from)) * this.plotWidth();
  }
  private yOf(row: number): number {
    return kTop + ((row - this.view.top) / (this.view.bottom - this.view.top)) * this.plotHeight();
  }

  private drawTimes(context: CanvasRenderingContext2D): void {
    const { soft, rule } = theme();
    const { from, to } = this.view;
    const { tickS, beginS } = this.run;
    const step = timeStep(((to - from) * tickS) / Math.max(2, this.plotWidth() / 110));
    context.fillStyle = soft;
    context.strokeStyle = rule;
    context.textAlign = 'center';
    for (let time = Math.ceil((beginS + from * tickS) / step) * step; time <= beginS + to * tickS; time += step) {
      const x = this.xOf((time - beginS) / tickS);
      context.fillText(timeText(time, step), Math.min(x, this.width - 24), 16);
      context.beginPath();
      context.moveTo(x, kTop - 5);
      context.lineTo(x, kTop);
      context.stroke();
    }
  }

  private drawRows(context: CanvasRenderingContext2D): void {
    context.fillStyle = theme().soft;
    context.textAlign = 'right';
    const say = (text: string, y: number): void => {
      if (y > kTop + 4 && y < kHeight - 2) context.fillText(text, kLeft - 8, y + 4, kLeft - 10);
    };
    if (this.rows === 'jobs') {
      const { top, bottom } = this.view;
      const step = roundStep((bottom - top) / 8);
      for (let job = Math.ceil(top / step) * step; job < bottom; job += step) say(`job ${number(job + 1)}`, this.yOf(job + 0.5));
      return;
    }
    this.run.types.forEach((type, index) => {
      const top = Math.max(kTop, this.yOf(this.model.typeRows[index]!));
      const bottom = Math.min(kHeight, this.yOf(this.model.typeRows[index]! + type.lanes));
      if (bottom - top < 10) return;
      say(type.name, (top + bottom) / 2 - (bottom - top > 34 ? 7 : 0));
      if (bottom - top > 34) say(`${number(type.gpus)} GPUs`, (top + bottom) / 2 + 8);
    });
  }

  private drawSelected(context: CanvasRenderingContext2D): void {
    if (this.selected < 0) return;
    const { spans } = this.model;
    context.save();
    context.beginPath();
    context.rect(kLeft, kTop, this.plotWidth(), this.plotHeight());
    context.clip();
    context.strokeStyle = theme().ink;
    context.lineWidth = 1.5;
    this.model.visit(this.view, (span) => {
      if (spans.job[span] !== this.selected) return;
      const x = this.xOf(this.model.begin(span));
      const y = this.yOf(this.model.row(span, this.rows));
      const width = Math.max(2, this.xOf(this.model.end(span)) - x);
      const height = Math.max(3, this.yOf(this.model.row(span, this.rows) + this.model.height(span, this.rows)) - y);
      context.fillStyle = colour(this.colouring.of(span));
      context.fillRect(x, y, width, height);
      context.strokeRect(x, y, width, height);
    });
    context.restore();
  }

  /** Ids inside the spans that have room for them. */
  private drawNames(context: CanvasRenderingContext2D): void {
    const rowHeight = this.plotHeight() / (this.view.bottom - this.view.top);
    let names = 0;
    context.save();
    context.beginPath();
    context.rect(kLeft, kTop, this.plotWidth(), this.plotHeight());
    context.clip();
    context.textAlign = 'left';
    const inks = Array.from({ length: colourCount }, (_, index) => inkOn(colour(index)));
    this.model.visit(this.view, (span) => {
      if (names >= kMostLabels || rowHeight * this.model.height(span, this.rows) < 13) return;
      const x = Math.max(kLeft, this.xOf(this.model.begin(span)));
      const width = Math.min(this.width, this.xOf(this.model.end(span))) - x;
      if (width < 34) return;
      const row = this.model.row(span, this.rows) + this.model.height(span, this.rows) / 2;
      const id = this.model.jobs.id(this.model.spans.job[span]!);
      if (context.measureText(id).width > width - 8) return;
      context.fillStyle = this.selected >= 0 && this.selected !== this.model.spans.job[span] ? theme().ink : inks[this.colouring.of(span)]!;
      context.fillText(id, x + 4, this.yOf(row) + 4);
      ++names;
    });
    context.restore();
  }
}

const kTimeSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000, 1728000, 4320000,
  8640000,
];

function timeStep(least: number): number {
  if (least > 8640000) return roundStep(least / 86400) * 86400;
  return least < 1 ? Math.min(1, decimalStep(least)) : kTimeSteps.find((step) => step >= least)!;
}

function decimalStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999)!;
}

const roundStep = (least: number): number => Math.max(1, decimalStep(Math.max(least, 1)));

function timeText(seconds: number, step: number): string {
  const plain = (value: number): string => String(Number(value.toPrecision(12)));
  if (step >= 86400) return `${plain(seconds / 86400)} d`;
  if (seconds >= 86400) return `${Math.floor(seconds / 86400)} d ${clock(seconds % 86400, step)}`;
  return seconds < 3600 && step < 60 ? `${plain(Math.round(seconds * 1e6) / 1e6)} s` : clock(seconds, step);
}

function clock(seconds: number, step: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return step >= 60 ? `${hour}:${two(minute)} h` : `${hour}:${two(minute)}:${two(Math.floor(seconds % 60))}`;
}
