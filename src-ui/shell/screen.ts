// The terminal of xterm.js. No other file uses it.
import { FitAddon } from '@xterm/addon-fit'
import { type IBuffer, Terminal } from '@xterm/xterm'
import { rem } from '../ui/rem.ts'
import { mostLines } from './console.ts'
import type { Size, TerminalScreen } from './running-command.ts'
import { terminalTheme } from './terminal-theme.ts'

/** The keys that go to the page: the focus must be able to leave the terminal. */
const isOfPage = ({ key }: KeyboardEvent) => key === 'F6'

/** Makes a terminal that is shown when it is opened. @param label its name for screen readers */
export function makeScreen(label: string): TerminalScreen {
  const root = document.documentElement
  const terminal = new Terminal({
    cols: 80,
    rows: 24,
    scrollback: mostLines,
    fontFamily: getComputedStyle(root).getPropertyValue('--font-code').trim(),
    fontSize: Number.parseFloat(getComputedStyle(root).getPropertyValue('--text-s')) * rem() || 13,
    lineHeight: 1.3,
    minimumContrastRatio: 4.5,
    theme: terminalTheme(),
    // What a program or a file name makes a link stays text: it could lead anywhere.
    linkHandler: { activate: () => {} },
    logLevel: 'off',
  })
  const fitting = new FitAddon()
  terminal.loadAddon(fitting)
  terminal.attachCustomKeyEventHandler((event) => !isOfPage(event))
  const size = (): Size => ({ columns: within(terminal.cols), rows: within(terminal.rows) })
  const fitted = (): Size => {
    if (terminal.element?.offsetParent) fitting.fit()
    crop(terminal)
    return size()
  }
  terminal.onWriteParsed(() => crop(terminal))
  return {
    open(element) {
      terminal.open(element)
      const { textarea } = terminal
      textarea?.setAttribute('aria-label', label)
      // Where F6 goes.
      textarea?.setAttribute('data-start', '')
      terminal.focus()
      return fitted()
    },
    fit: fitted,
    focus: () => terminal.focus(),
    recolour: () => {
      terminal.options.theme = terminalTheme()
    },
    write: (text, written) => terminal.write(text, written),
    onInput: (listener) => void terminal.onData(listener),
    clear: () => terminal.clear(),
    text: () => readLines(terminal.buffer.normal).join('\n'),
    tail: (lines) => tailOf(terminal.buffer.active, lines),
    isFull: () => terminal.buffer.normal.baseY >= mostLines,
    dispose: () => terminal.dispose(),
  }
}

/** What the server takes. */
const within = (cells: number) => Math.min(1000, Math.max(1, cells))

/** Shows no more rows than have text, so that a short output takes little room. */
function crop(terminal: Terminal): void {
  const { element, rows, buffer } = terminal
  const frame = element?.parentElement?.parentElement
  const height = element?.querySelector<HTMLElement>('.xterm-screen')?.offsetHeight
  if (!frame || !height) return
  const { baseY, cursorY, type } = buffer.active
  const before = Number(frame.dataset.rows ?? 1)
  const used = type === 'alternate' || baseY > 0 ? rows : Math.min(rows, Math.max(before, cursorY + 1))
  frame.dataset.rows = `${used}`
  frame.style.blockSize = `${(height / rows) * used}px`
}

/** The lines as they were written: what was wrapped is one line again. */
function readLines(buffer: IBuffer, from = 0): string[] {
  const lines: string[] = []
  for (let at = from; at < buffer.length; at += 1) {
    const line = buffer.getLine(at)
    const goesOn = buffer.getLine(at + 1)?.isWrapped === true
    const text = line?.translateToString(!goesOn) ?? ''
    if (line?.isWrapped && lines.length > 0) lines.push((lines.pop() ?? '') + text)
    else lines.push(text)
  }
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return lines
}

function tailOf(buffer: IBuffer, count: number): string {
  const from = Math.max(0, buffer.baseY + buffer.cursorY + 1 - count)
  return readLines(buffer, from).join('\n')
}
