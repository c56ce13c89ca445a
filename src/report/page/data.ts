// What the program put into the page: one document, and for each run its JSON and its deflated columns.

export interface Label {
  name: string;
  value: string;
}
export interface GpuType {
  name: string;
  gpus: number;
  price_usd_per_hour: number | null;
  power_w: number | null;
  lanes: number;
}
export type Summary = Record<string, unknown>;

export interface Load {
  start: Float64Array;
  end: Float64Array;
  present: Float32Array;
  held: Float32Array;
  running: Float32Array;
  waiting: Float32Array;
}

/** GPU-seconds by type, bin and stretch of time. */
export class Ledger {
  constructor(
    readonly start: Float64Array,
    readonly end: Float64Array,
    private readonly amounts: Float64Array,
    readonly bins: string[],
  ) {}
  get stretches(): number {
    return this.start.length;
  }
  at(type: number, bin: number, stretch: number): number {
    return this.amounts[(type * this.bins.length + bin) * this.stretches + stretch]!;
  }
  total(type: number, bin: number): number {
    let sum = 0;
    for (let stretch = 0; stretch < this.stretches; ++stretch) sum += this.at(type, bin, stretch);
    return sum;
  }
}

export const kHeldBins = 6;
export const kNever = 0xffffffff;
export const kJobStates = ['waiting', 'running', 'completed', 'cancelled', 'rejected'];
export const kPhases = ['startup', 'running', 'resizing', 'checkpoint'];
export const kEndings = ['goes on', 'finished', 'cancelled', 'preempted', 'migrating', 'lost its GPUs', 'still there at the end'];

/** Columns by job, in order of submission; times are ticks since the beginning. */
export interface Jobs {
  count: number;
  id: (job: number) => string;
  model: Uint32Array;
  submit: Uint32Array;
  queueing: Uint32Array;
  run: Uint32Array;
  gpus: Uint32Array;
  preemptions: Uint32Array;
  resizes: Uint32Array;
  state: Uint8Array;
  firstType: Uint8Array;
  gpuSeconds: Float32Array;
  waiting: Float32Array;
  slowdown: Float32Array;
  rho: Float32Array;
  cost: Float32Array;
}

/** Columns by span, in order of their beginnings. */
export interface Spans {
  count: number;
  job: Uint32Array;
  begin: Uint32Array;
  length: Uint32Array;
  lane: Uint32Array;
  lanes: Uint32Array;
  type: Uint8Array;
  phase: Uint8Array;
  ending: Uint8Array;
}

export interface Run {
  labels: Label[];
  summary: Summary;
  executed: Record<string, unknown> | null;
  cluster: string;
  types: GpuType[];
  beginS: number;
  endS: number;
  tickS: number;
  models: string[];
  spansLeftOut: number;
  longestLeftOutS: number;
  load: Load;
  ledger: Ledger;
  quantiles: Record<string, Float64Array>;
  jobs: Jobs | null;
  spans: Spans | null;
}

export interface ReportDocument {
  title: string;
  rankedBy: string;
  runs: Run[];
}

interface Column {
  name: string;
  type: string;
  offset: number;
  length: number;
}
interface Details {
  labels: Label[];
  cluster: string;
  gpu_types: GpuType[];
  ledger_bins: string[];
  begin_s: number;
  end_s: number;
  tick_s: number;
  models?: string[];
  spans_left_out?: number;
  longest_left_out_s?: number;
  columns: Column[];
}

function textOf(id: string): string {
  const element = document.getElementById(id);
  const text = element?.textContent ?? '';
  element?.remove();
  return text;
}

async function inflate(base64: string): Promise<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; ++at) bytes[at] = binary.charCodeAt(at);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

class Columns {
  private readonly places: Map<string, Column>;
  constructor(
    private readonly bytes: ArrayBuffer,
    columns: Column[],
  ) {
    this.places = new Map(columns.map((column) => [column.name, column]));
  }
  has(name: string): boolean {
    return this.places.has(name);
  }
  u8(name: string): Uint8Array {
    const { offset, length } = this.place(name);
    return new Uint8Array(this.bytes, offset, length);
  }
  u32(name: string): Uint32Array {
    const { offset, length, type } = this.place(name);
    const values = new Uint32Array(this.bytes, offset, length);
    if (type === 'u32-ascending') for (let at = 1; at < length; ++at) values[at]! += values[at - 1]!;
    return values;
  }
  f32(name: string): Float32Array {
    const { offset, length } = this.place(name);
    return new Float32Array(this.bytes, offset, length);
  }
  f64(name: string): Float64Array {
    const { offset, length } = this.place(name);
    return new Float64Array(this.bytes, offset, length);
  }
  private place(name: string): Column {
    const place = this.places.get(name);
    if (!place) throw new Error(`the report lacks its column ${name}`);
    return place;
  }
}

function readJobs(columns: Columns): Jobs {
  const bytes = columns.u8('job.ids');
  const lengths = columns.u32('job.id_bytes');
  const starts = new Uint32Array(lengths.length + 1);
  for (let job = 0; job < lengths.length; ++job) starts[job + 1] = starts[job]! + lengths[job]!;
  const decoder = new TextDecoder();
  return {
    count: lengths.length,
    id: (job) => decoder.decode(bytes.subarray(starts[job], starts[job + 1])),
    model: columns.u32('job.model'),
    submit: columns.u32('job.submit'),
    queueing: columns.u32('job.queueing'),
    run: columns.u32('job.run'),
    gpus: columns.u32('job.gpus'),
    preemptions: columns.u32('job.preemptions'),
    resizes: columns.u32('job.resizes'),
    state: columns.u8('job.state'),
    firstType: columns.u8('job.first_type'),
    gpuSeconds: columns.f32('job.gpu_seconds'),
    waiting: columns.f32('job.waiting_s'),
    slowdown: columns.f32('job.slowdown'),
    rho: columns.f32('job.rho'),
    cost: columns.f32('job.cost_usd'),
  };
}

function readSpans(columns: Columns): Spans {
  const job = columns.u32('span.job');
  return {
    count: job.length,
    job,
    begin: columns.u32('span.begin'),
    length: columns.u32('span.length'),
    lane: columns.u32('span.lane'),
    lanes: columns.u32('span.lanes'),
    type: columns.u8('span.type'),
    phase: columns.u8('span.phase'),
    ending: columns.u8('span.ending'),
  };
}

async function readRun(index: number): Promise<Run> {
  const { summary, executed, details } = JSON.parse(textOf(`medley-run-${index}`)) as {
    summary: Summary;
    executed: Run['executed'];
    details: Details;
  };
  const columns = new Columns(await inflate(textOf(`medley-columns-${index}`)), details.columns);
  const withJobs = columns.has('job.ids');
  const quantile = (name: string): [string, Float64Array] => [name, columns.f64(`quantile.${name}`)];
  return {
    labels: details.labels,
    summary,
    executed,
    cluster: details.cluster,
    types: details.gpu_types,
    beginS: details.begin_s,
    endS: details.end_s,
    tickS: details.tick_s,
    models: details.models ?? [],
    spansLeftOut: details.spans_left_out ?? 0,
    longestLeftOutS: details.longest_left_out_s ?? 0,
    load: {
      start: columns.f64('load.start_s'),
      end: columns.f64('load.end_s'),
      present: columns.f32('load.present_gpus'),
      held: columns.f32('load.held_gpus'),
      running: columns.f32('load.running_jobs'),
      waiting: columns.f32('load.waiting_jobs'),
    },
    ledger: new Ledger(columns.f64('ledger.start_s'), columns.f64('ledger.end_s'), columns.f64('ledger.gpu_seconds'), details.ledger_bins),
    quantiles: Object.fromEntries(['jct_s', 'queueing_s', 'waiting_s', 'slowdown', 'rho'].map(quantile)),
    jobs: withJobs ? readJobs(columns) : null,
    spans: withJobs ? readSpans(columns) : null,
  };
}

export async function readDocument(): Promise<ReportDocument> {
  const head = JSON.parse(textOf('medley-document')) as { title: string; ranked_by: string; runs: number };
  const runs = await Promise.all(Array.from({ length: head.runs }, (_, index) => readRun(index)));
  return { title: head.title, rankedBy: head.ranked_by, runs };
}

export const labelOf = (run: Run, name: string): string => run.labels.find((label) => label.name === name)?.value ?? '';

/** A figure of the summary; NaN where it is not known. */
export function figureValue(run: Run, field: string): number {
  const value = run.summary[field];
  return typeof value === 'number' ? value : NaN;
}
