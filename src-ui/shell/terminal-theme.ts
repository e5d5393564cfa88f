import type { ITheme } from '@xterm/xterm'

/** The sixteen colours of programs, and those of the terminal itself, as design tokens. */
const tokens = {
  background: '--surface-sunken',
  foreground: '--text',
  cursor: '--accent',
  cursorAccent: '--surface-sunken',
  selectionBackground: '--surface-selected-hover',
  black: '--text-faint',
  red: '--danger-text',
  green: '--success-text',
  yellow: '--warning-text',
  blue: '--info-text',
  magenta: '--syntax-keyword',
  cyan: '--syntax-name',
  white: '--text-muted',
  brightBlack: '--text-faint',
  brightRed: '--danger-text',
  brightGreen: '--text-accent',
  brightYellow: '--warning-text',
  brightBlue: '--info-text',
  brightMagenta: '--type-image',
  brightCyan: '--type-code',
  brightWhite: '--text',
} as const satisfies ITheme

/** The colours that the tokens have now. A token may differ between light and dark, so that the browser has to compute it. */
export function terminalTheme(): ITheme {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const colours = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(colours)
}

/** Calls back when the colours of the page may have changed. @returns what ends it */
export function followTheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', changed)
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'style'] })
  return () => {
    system.removeEventListener('change', changed)
    observer.disconnect()
  }
}
