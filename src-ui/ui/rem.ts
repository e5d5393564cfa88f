/** Pixels of a rem, in which the style sheets write sizes: 16 unless the reader has chosen another size of type in the browser. */
export const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
