// Elements by hand: text always goes in as text, never as HTML.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** An element with attributes (functions become listeners of `on...`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** A part of the page with a heading that can be linked to. */
export function section(id: string, title: string, lead: string, ...children: Child[]): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    h('p', { class: 'lead' }, lead),
    ...children,
  );
}

export function table(head: Child[], rows: Child[][], attributes: Attributes = {}): HTMLElement {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': String(attributes['aria-label'] ?? 'table') },
    h(
      'table',
      attributes,
      h('thead', {}, h('tr', {}, ...head.map((cell) => h('th', { scope: 'col' }, cell)))),
      h(
        'tbody',
        {},
        ...rows.map((row) =>
          h(
            'tr',
            {},
            ...row.map((cell, index) =>
              index === 0 ? h('th', { scope: 'row' }, cell) : cell instanceof HTMLTableCellElement ? cell : h('td', {}, cell),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A labelled choice; `act` is called with the position of what is chosen. */
export function choice(label: string, names: string[], act: (index: number) => void, chosen = 0, name = ''): HTMLElement {
  const select = h(
    'select',
    { 'data-choice': name || undefined, onchange: () => act(select.selectedIndex) },
    ...names.map((text, index) => h('option', { selected: index === chosen }, text)),
  );
  return h('label', { class: 'choice' }, h('span', {}, label), select);
}

export function button(text: string, hint: string, act: () => void): HTMLButtonElement {
  return h('button', { type: 'button', title: hint, 'aria-label': hint, onclick: act }, text);
}
