// Numbers for people: about four significant digits, always with a unit.

const kUnits: [number, string][] = [
  [86400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, '\u00b5s'],
];

export function number(value: number): string {
  if (!Number.isFinite(value)) return '\u2013';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6) return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 }).format(value);
  if (size >= 100) return new Intl.NumberFormat('en', { maximumFractionDigits: size >= 1000 ? 0 : 1 }).format(value);
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);
}

/** Seconds in the unit that suits them. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '\u2013';
  if (seconds === 0) return '0 s';
  const [unit, name] = unitFor(Math.abs(seconds));
  return `${number(seconds / unit)} ${name}`;
}

/** The largest unit of which there are at least two; one is enough if it is a round one, or of seconds. */
export function unitFor(seconds: number): [number, string] {
  return kUnits.find(([unit]) => seconds >= unit * 2 || seconds === unit || (unit <= 1 && seconds >= unit)) ?? kUnits[kUnits.length - 1]!;
}

/** Where a logarithmic axis of durations has its ticks: round in the units that people use. */
export const kRoundDurations = [
  1e-6,
  1e-5,
  1e-4,
  1e-3,
  0.01,
  0.1,
  1,
  10,
  60,
  600,
  3600,
  6 * 3600,
  86400,
  10 * 86400,
  100 * 86400,
  1000 * 86400,
];

export const percent = (fraction: number): string => (Number.isFinite(fraction) ? `${number(fraction * 100)} %` : '\u2013');
export const dollars = (usd: number): string => (Number.isFinite(usd) ? `$${number(usd)}` : '\u2013');
export const energy = (kwh: number): string => (Number.isFinite(kwh) ? `${number(kwh)} kWh` : '\u2013');
export const hours = (value: number): string => (Number.isFinite(value) ? `${number(value)} h` : '\u2013');

/** "+12 %", "\u22128.3 %". */
export function change(fraction: number): string {
  if (!Number.isFinite(fraction)) return '\u2013';
  const text = number(Math.abs(fraction) * 100);
  if (text === '0') return '\u00b10 %';
  return `${fraction < 0 ? '\u2212' : '+'}${text} %`;
}

/** "53 to 65 min": a unit that both ends share is said once. */
export function range(low: string, high: string): string {
  const unit = / \S+$/.exec(high)?.[0] ?? '';
  return `${unit !== '' && low.endsWith(unit) ? low.slice(0, -unit.length) : low} to ${high}`;
}
