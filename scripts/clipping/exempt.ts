// What may be cut, and what may have a direction of its own: by selector, with the reason, and never by language.

/** A selector for an element or an ancestor of it, and why the rule does not hold there. */
export type Exemption = readonly [selector: string, reason: string]

/** Nobody sees these texts. */
export const unseen: readonly Exemption[] = [
  ['.visually-hidden', 'read by screen readers only'],
  ['.skip-link:not(:focus)', 'outside the window until it has the focus'],
  ['[data-clipping-ignore]', 'not part of the product'],
]

/** Content of people and of programs, not texts of the interface: they have their own direction and language. */
export const content: readonly Exemption[] = [
  ['bdi, [dir="auto"]', 'content, with its own direction'],
  ['code, .code, kbd, .key', 'read the same way in every language'],
  [
    '.cm-content, .cm-gutters, .prose, .large-text, .paper-text, .sheet-place, .xterm, .shell-output',
    'a file, or the output of a command',
  ],
  ['.editor-text, .diff, .diff-heads', 'a text and its versions, laid out as in every language'],
  ['[translate="no"]', 'an address or a line of commands'],
]

/** What is shortened on purpose. */
export const shortened: readonly Exemption[] = [
  ['.name, .activity-name', 'a file name: shortened, with a title'],
  ['.sheet-cell > bdi', 'a cell of a table that a person wrote'],
  ['.tile-detail', 'size and date in a narrow tile: shortened, with a title'],
  ['.crumb, .shell-folder, .result-path, .row-from', 'a path or a step of it: shortened, with a title'],
]

/** What scrolls sideways on purpose. */
export const scrolled: readonly Exemption[] = [
  ['.tabs, .shares-kinds, .finder-chips', 'choices in one line, which a finger moves'],
  ['.cm-scroller, .prose, .large-text, .sheet-place, .xterm, .shell-output', 'a file, or the output of a command'],
]

export const selectorOf = (exemptions: readonly Exemption[]): string => exemptions.map(([selector]) => selector).join(', ')
