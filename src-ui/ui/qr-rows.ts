import { encode } from 'uqr'

/** Modules of white around a code, which the standard asks for. */
const quietZone = 4

/** The modules of the code of a text, rows from above; true is dark. With the quiet zone. */
export const qrRows = (text: string): readonly (readonly boolean[])[] =>
  encode(text, { border: quietZone, ecc: 'M', boostEcc: true }).data

/** The runs of dark modules in a row. */
export function runsOf(row: readonly boolean[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = []
  row.forEach((isDark, x) => {
    if (!isDark) return
    const last = runs.at(-1)
    if (last && last.start + last.length === x) last.length += 1
    else runs.push({ start: x, length: 1 })
  })
  return runs
}

/** The path of an SVG that draws a code. One run after the other, because squares side by side would show seams. */
export function codePath(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => runsOf(row).map(({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`)).join('')
}
