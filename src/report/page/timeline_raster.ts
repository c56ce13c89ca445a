// The timeline as pixels: a hundred thousand jobs are filled into one image, span by span, in a few milliseconds.

import { type Jobs, type Run, type Spans, kNever } from './data';

export interface View {
  from: number;
  to: number;
  top: number;
  bottom: number;
}
export type Rows = 'gpus' | 'jobs';

const kBlock = 256;
const kGap = 0.02; // between GPU types, of all lanes

/** What the timeline knows of a run, prepared once: where each span stands in rows, and which spans can be skipped. */
export class TimelineModel {
  readonly spans: Spans;
  readonly jobs: Jobs;
  readonly length: number;
  /** First row of each GPU type; one more for the end. */
  readonly typeRows: number[] = [];
  readonly gap: number;
  private readonly lastEnds: Float64Array;
  private lasts: Uint32Array | null = null;

  constructor(readonly run: Run) {
    this.spans = run.spans!;
    this.jobs = run.jobs!;
    this.length = Math.max(1, (run.endS - run.beginS) / run.tickS);
    const lanes = run.types.reduce((sum, type) => sum + type.lanes, 0);
    this.gap = run.types.length > 1 ? lanes * kGap : 0;
    let row = 0;
    for (const type of run.types) {
      this.typeRows.push(row);
      row += type.lanes + this.gap;
    }
    this.typeRows.push(row);
    this.lastEnds = this.endsOfBlocks();
  }

  rows(rows: Rows): number {
    return Math.max(1, rows === 'gpus' ? this.typeRows[this.typeRows.length - 1]! - this.gap : this.jobs.count);
  }
  begin(span: number): number {
    return this.spans.begin[span]!;
  }
  end(span: number): number {
    return this.spans.begin[span]! + this.spans.length[span]!;
  }
  row(span: number, rows: Rows): number {
    return rows === 'gpus' ? this.typeRows[this.spans.type[span]!]! + this.spans.lane[span]! : this.spans.job[span]!;
  }
  height(span: number, rows: Rows): number {
    return rows === 'gpus' ? this.spans.lanes[span]! : 1;
  }
  /** When the job first held GPUs, or the end if it never did. */
  start(job: number): number {
    return this.jobs.queueing[job] === kNever ? this.length : this.jobs.submit[job]! + this.jobs.queueing[job]!;
  }
  finish(job: number): number {
    if (this.jobs.run[job] === kNever) return this.length;
    return this.start(job) + this.jobs.run[job]!;
  }

  /** The last span of the time with GPUs that `span` belongs to: the one that says how it ended. */
  lastSpan(span: number): number {
    this.lasts ??= this.findLasts();
    return this.lasts[span]!;
  }

  /** Calls `act` for each span that may be seen in the time of the view. */
  visit(view: View, act: (span: number) => void): void {
    const { begin, count } = this.spans;
    for (let block = 0; block * kBlock < count; ++block) {
      const first = block * kBlock;
      if (begin[first]! > view.to) return;
      if (this.lastEnds[block]! < view.from) continue;
      const last = Math.min(first + kBlock, count);
      for (let span = first; span < last; ++span) if (begin[span]! <= view.to && this.end(span) >= view.from) act(span);
    }
  }

  /** The span at a point, or -1. */
  spanAt(time: number, row: number, rows: Rows): number {
    let found = -1;
    this.visit({ from: time, to: time, top: row, bottom: row }, (span) => {
      const top = this.row(span, rows);
      if (row >= top && row < top + this.height(span, rows)) found = span;
    });
    return found;
  }

  private findLasts(): Uint32Array {
    const lasts = new Uint32Array(this.spans.count);
    const later = new Map<number, number>();
    for (let span = this.spans.count - 1; span >= 0; --span) {
      const job = this.spans.job[span]!;
      if (this.spans.ending[span] !== 0 || !later.has(job)) later.set(job, span);
      lasts[span] = later.get(job)!;
    }
    return lasts;
  }

  private endsOfBlocks(): Float64Array {
    const ends = new Float64Array(Math.ceil(this.spans.count / kBlock));
    for (let span = 0; span < this.spans.count; ++span) {
      const block = Math.floor(span / kBlock);
      ends[block] = Math.max(ends[block]!, this.end(span));
    }
    return ends;
  }
}

export interface Paint {
  /** ABGR by colour index. */
  palette: Uint32Array;
  /** Colour index by span. */
  of: (span: number) => number;
  background: number;
  empty: number;
  waiting: number;
}

/** One picture. Spans cover the pixels whose centres they cover, so that what is seen is a fair sample; a span shorter than a pixel shows
 * where nothing else does. */
export class Raster {
  readonly pixels: Uint32Array;
  drawn = 0;
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pixels = new Uint32Array(width * height);
  }

  draw(model: TimelineModel, view: View, rows: Rows, paint: Paint): void {
    this.drawn = 0;
    this.pixels.fill(paint.background);
    const sy = this.height / (view.bottom - view.top);
    if (rows === 'gpus') this.fillTypes(model, view, sy, paint.empty);
    else this.fillWaiting(model, view, sy, paint.waiting);
    const sx = this.width / (view.to - view.from);
    const empty = rows === 'gpus' ? paint.empty : paint.background;
    const separated = sy >= 4;
    model.visit(view, (span) => {
      const top = (model.row(span, rows) - view.top) * sy;
      const y0 = Math.max(0, Math.round(top));
      const y1 = Math.min(this.height, Math.round(top + model.height(span, rows) * sy));
      if (y1 <= y0) return;
      const x0 = (model.begin(span) - view.from) * sx;
      const x1 = (model.end(span) - view.from) * sx;
      ++this.drawn;
      this.fill(
        Math.round(x0),
        Math.round(x1) - (x1 - x0 > 5 ? 1 : 0),
        y0,
        separated && y1 - y0 > 3 ? y1 - 1 : y1,
        paint.palette[paint.of(span)]!,
        empty,
      );
    });
  }

  private fill(x0: number, x1: number, y0: number, y1: number, colour: number, empty: number): void {
    const left = Math.max(0, x0);
    const right = Math.min(this.width, x1);
    if (right <= left) {
      if (x0 < 0 || x0 >= this.width) return;
      for (let y = y0; y < y1; ++y) if (this.pixels[y * this.width + x0] === empty) this.pixels[y * this.width + x0] = colour;
      return;
    }
    for (let y = y0; y < y1; ++y) this.pixels.fill(colour, y * this.width + left, y * this.width + right);
  }

  private fillTypes(model: TimelineModel, view: View, sy: number, empty: number): void {
    model.run.types.forEach((type, index) => {
      const top = (model.typeRows[index]! - view.top) * sy;
      const y0 = Math.max(0, Math.round(top));
      const y1 = Math.min(this.height, Math.round(top + type.lanes * sy));
      if (y1 > y0) this.pixels.fill(empty, y0 * this.width, y1 * this.width);
    });
  }

  /** From submission to the end: what the job's spans leave of it is waiting. */
  private fillWaiting(model: TimelineModel, view: View, sy: number, waiting: number): void {
    const sx = this.width / (view.to - view.from);
    const last = Math.min(model.jobs.count, Math.ceil(view.bottom));
    for (let job = Math.max(0, Math.floor(view.top)); job < last; ++job) {
      const y0 = Math.max(0, Math.round((job - view.top) * sy));
      const y1 = Math.min(this.height, Math.round((job + 1 - view.top) * sy));
      if (y1 <= y0) continue;
      const x0 = Math.max(0, Math.round((model.jobs.submit[job]! - view.from) * sx));
      const x1 = Math.min(this.width, Math.round((model.finish(job) - view.from) * sx));
      for (let y = y0; y < (sy >= 4 ? y1 - 1 : y1) && x1 > x0; ++y) this.pixels.fill(waiting, y * this.width + x0, y * this.width + x1);
    }
  }
}
