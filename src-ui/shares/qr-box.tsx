import { startDownload } from '../api/download.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { qrRows, runsOf } from '../ui/qr-rows.ts'
import { view } from '../ui/view.tsx'

type Props = { address: string; name: string; isDir: boolean }

/** The code of a link, which can be saved as a picture. */
export const QrBox = view(function QrBox({ address, name, isDir }: Props) {
  return (
    <div className="qr-box">
      <QrCode text={address} label={t('shares.qrLabel', { address })} />
      <span className="qr-words">
        <span className="field-hint">{t(isDir ? 'shares.qrFolder' : 'shares.qrFile')}</span>
        <Button small icon="download" label={t('shares.png')} onClick={() => void savePicture(address, name)} />
      </span>
    </div>
  )
})

/** Pixels of a module: enough to be printed. */
const scale = 12

async function savePicture(address: string, name: string): Promise<void> {
  const rows = qrRows(address)
  const canvas = document.createElement('canvas')
  canvas.width = rows.length * scale
  canvas.height = rows.length * scale
  draw(canvas, rows)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) return
  const picture = URL.createObjectURL(blob)
  startDownload(picture, t('shares.pngName', { name }))
  URL.revokeObjectURL(picture)
}

function draw(canvas: HTMLCanvasElement, rows: ReturnType<typeof qrRows>): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const colours = getComputedStyle(document.documentElement)
  context.fillStyle = colours.getPropertyValue('--paper')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = colours.getPropertyValue('--ink')
  rows.forEach((row, y) => {
    for (const { start, length } of runsOf(row)) context.fillRect(start * scale, y * scale, length * scale, scale)
  })
}
