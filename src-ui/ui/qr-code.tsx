import { codePath, qrRows } from './qr-rows.ts'

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
      <path d={codePath(rows)} />
    </svg>
  )
}
