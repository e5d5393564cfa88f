import { qrRows, runsOf } from './qr-rows.ts'

type Props = {
  text: string
  /** What a screen reader says. */
  label: string
}

/** A QR code, dark on light in both themes as cameras expect it. */
export function QrCode({ text, label }: Props) {
  const rows = qrRows(text)
  return (
    <svg className="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={pathOf(rows)} />
    </svg>
  )
}

/** One run of dark modules after the other, because squares side by side would show seams. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => runsOf(row).map(({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`)).join('')
}
