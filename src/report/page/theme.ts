// Light and dark, and colours that people with any kind of colour vision tell apart (Okabe and Ito 2008).

export interface Theme {
  dark: boolean;
  ink: string;
  soft: string;
  rule: string;
  panel: string;
  accent: string;
}

const kLight = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c7a00', '#5b5b5b'];
const kDark = ['#4aa8e0', '#f0b429', '#2fc79b', '#e39cc4', '#8fd0f5', '#f0824a', '#d9c83c', '#a8a8a8'];
/** Of the ledger's bins, in its order: warm where GPU time is lost, pale where it is free. */
const kLedgerLight = ['#009e73', '#e69f00', '#cc79a7', '#d55e00', '#56b4e9', '#8c5fb0', '#3d3d3d', '#b9b37a', '#dcdfe3'];
const kLedgerDark = ['#1fae85', '#f0b429', '#e39cc4', '#f0824a', '#69bdf0', '#b48ad6', '#0c0d10', '#8a8550', '#3a3f47'];
/** Lines differ in their dashes too, so that colour alone need not tell them apart. */
export const kDashes: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 2], [12, 4], [6, 2, 1, 2]];

type Listener = (theme: Theme) => void;
const listeners: Listener[] = [];
const system = window.matchMedia('(prefers-color-scheme: dark)');
let chosen: '' | 'light' | 'dark' = '';
let printing = false;

export function isDark(): boolean {
  return !printing && (chosen === '' ? system.matches : chosen === 'dark');
}

/** A frame is not waited for then: the browser takes the page as it is when the event is over. */
export const isPrinting = (): boolean => printing;

export function theme(): Theme {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string): string => styles.getPropertyValue(`--${name}`).trim();
  return {
    dark: isDark(),
    ink: colour('ink'),
    soft: colour('soft'),
    rule: colour('rule'),
    panel: colour('panel'),
    accent: colour('accent'),
  };
}

export function colour(index: number): string {
  const colours = isDark() ? kDark : kLight;
  return colours[index % colours.length]!;
}
export const colourCount = kLight.length;
/** Dark or light text, whichever reads better on a colour (WCAG's relative luminance). */
export function inkOn(hex: string): string {
  const part = (at: number): number => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.25 ? '#101114' : '#ffffff';
}
export const ledgerColour = (bin: number): string => (isDark() ? kLedgerDark : kLedgerLight)[bin]!;
export const dash = (index: number): number[] => kDashes[index % kDashes.length]!;

export function onTheme(listener: Listener): void {
  listeners.push(listener);
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  const now = theme();
  for (const listener of listeners) listener(now);
}

/** The choice is kept where the browser lets a file keep anything. */
function remember(): void {
  try {
    localStorage.setItem('medley-theme', chosen);
  } catch {
    /* not for files, in some browsers */
  }
}

export function switchTheme(): void {
  chosen = isDark() ? 'light' : 'dark';
  remember();
  apply();
}

export function startTheme(): void {
  try {
    const kept = localStorage.getItem('medley-theme');
    if (kept === 'light' || kept === 'dark') chosen = kept;
  } catch {
    /* as above */
  }
  system.addEventListener('change', apply);
  const setPrinting = (value: boolean) => () => {
    printing = value;
    document.documentElement.classList.toggle('printing', value);
    apply();
  };
  window.addEventListener('beforeprint', setPrinting(true));
  window.addEventListener('afterprint', setPrinting(false));
  apply();
}
