import { useState } from 'react'
import type { Receipt, ReceiptList as Receipts } from '../../src-server/contract/requests.ts'
import { receiptTextAddress } from '../api/request-link.ts'
import { formatDate, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import type { RequestModel } from './request-model.ts'
import { SentRows } from './sent-rows.tsx'
import { typeOfName } from './type-of-name.ts'

/** Files of a receipt that are drawn at a time: the text to save has all. */
const pageSize = 500

type Props = { model: RequestModel; receipt: Receipt }

/** What has arrived, to be printed and saved. */
export const ReceiptView = view(function ReceiptView({ model, receipt }: Props) {
  const { number, at, title, name, files } = receipt
  const { failed } = model.files.totals.value
  const [shown, setShown] = useState(pageSize)
  return (
    <>
      <div className="bag-object">
        <span className="seal" data-failed={failed > 0 || undefined}>
          <Icon name={failed > 0 ? 'alert-circle' : 'check'} />
        </span>
        <div className="bag-title">
          <h1>{t('request.arrived', { count: files.length })}</h1>
          <p>{thanksOf(name, failed)}</p>
        </div>
      </div>
      <SentRows model={model} only="failed" />
      <dl className="request-facts">
        <dt>{t('request.received')}</dt>
        <dd>{formatDate(at * 1000)}</dd>
        <dt>{t('request.for')}</dt>
        <dd>
          <bdi>{title}</bdi>
        </dd>
        <dt>{t('request.receipt')}</dt>
        <dd className="request-number" dir="ltr">
          {number}
        </dd>
      </dl>
      <ul className="sent-list">
        {files.slice(0, shown).map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files of a receipt may have the same name, and their order stays
          <li key={index} className="sent sent-done">
            <FileIcon of={{ name: file.name, type: typeOfName(file.name) }} />
            <span className="sent-name">
              <FileName name={file.name.slice(file.name.lastIndexOf('/') + 1)} title={file.name} />
            </span>
            <span className="sent-state">{formatSize(file.size)}</span>
            {file.sha256 && (
              <span className="sent-sha" dir="ltr">
                sha256 {file.sha256}
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className="request-buttons">
        {files.length > shown && <Button wide label={t('share.more')} onClick={() => setShown(shown + pageSize)} />}
        <Button label={t('request.print')} onClick={() => window.print()} />
        <a className="button" href={receiptTextAddress(model.hash, number)} download>
          <span className="label">{t('request.saveText')}</span>
        </a>
        {model.open && <Button label={t('request.sendMore')} onClick={() => void model.sendMore()} />}
      </div>
    </>
  )
})

function thanksOf(name: string | undefined, failed: number): string {
  if (failed > 0) return t('request.notArrived', { count: failed })
  return name === undefined ? t('request.thanks') : t('request.thanksNamed', { name: isolate(name) })
}

/** The receipts of earlier files. */
export const ReceiptList = view(function ReceiptList({ hash, receipts }: { hash: string; receipts: Receipts }) {
  if (receipts.length === 0) return null
  return (
    <section className="request-earlier">
      <h2>{t('request.earlier')}</h2>
      <ul>
        {receipts.map(({ number, at }) => (
          <li key={number}>
            <a className="text-link" dir="ltr" href={receiptTextAddress(hash, number)} download>
              {number}
            </a>
            <span className="field-hint">{formatDate(at * 1000)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
})
