import { type FormEvent, useEffect, useRef, useState } from 'react'
import { chooseFiles } from '../api/choose-files.ts'
import { readChosen } from '../api/read-drop.ts'
import { kindOf } from '../core/ending-kinds.ts'
import { formatDate, formatDuration, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { ReceiptList } from './receipt-view.tsx'
import type { RequestModel } from './request-model.ts'
import type { OpenRequest } from './request-state.ts'
import { SendingSum } from './sending-sum.tsx'
import { SentRows } from './sent-rows.tsx'

type Props = { model: RequestModel; open: OpenRequest }

/** Milliseconds before its end from which on a link says in how long it closes. */
const soon = 3600_000

/** The form in which files are chosen, and the list of those that are sent. */
export const OpenForm = view(function OpenForm({ model, open }: Props) {
  const { files } = model
  const { open: waiting } = files.totals.value
  const hasFiles = files.all.value.length > 0
  const isBegun = model.isSending.value
  const nameField = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!model.begin()) nameField.current?.focus()
  }
  return (
    <>
      <div className="bag-title">
        <h1 dir="auto">{open.title}</h1>
        {open.text && (
          <p className="request-text" dir="auto">
            {open.text}
          </p>
        )}
        <p>{t('request.nobody')}</p>
      </div>
      <form className="bag-form" onSubmit={submit} noValidate>
        {!hasFiles && <Dropzone model={model} open={open} />}
        <SentRows model={model} />
        {isBegun && <SendingSum model={model} />}
        {hasFiles && <Choose model={model} open={open} isMore />}
        {!isBegun && <Name model={model} open={open} field={nameField} />}
        {!isBegun && <Button kind="primary" wide submit disabled={waiting === 0} label={t('request.send')} />}
        {isBegun && waiting > 0 && (
          <Button kind="quiet" className="button-danger-quiet" label={t('uploads.cancelAll')} onClick={() => files.cancelAll()} />
        )}
        <Notes open={open} isBegun={isBegun} />
      </form>
      {!isBegun && <ReceiptList hash={model.hash} receipts={open.receipts} />}
    </>
  )
})

const Dropzone = view(function Dropzone({ model, open }: Props) {
  return (
    <div className="dropzone">
      <svg className="dropzone-stitch" aria-hidden="true">
        <rect width="100%" height="100%" rx="12" />
      </svg>
      <Icon name="inbox" />
      <strong>{t(open.hasFolders ? 'request.drop' : 'request.dropFiles')}</strong>
      <span className="field-hint">{limitsOf(open)}</span>
      <Choose model={model} open={open} />
    </div>
  )
})

/** The buttons that open the dialogs of the system. */
function Choose({ model, open, isMore = false }: Props & { isMore?: boolean }) {
  const choose = async (folder: boolean) => model.files.add(readChosen(await chooseFiles({ folder })))
  return (
    <div className="choose-line">
      <Button icon="plus" label={t(isMore ? 'request.addMore' : 'request.chooseFiles')} onClick={() => void choose(false)} />
      {open.hasFolders && <Button icon="folder" label={t('request.chooseFolder')} onClick={() => void choose(true)} />}
    </div>
  )
}

const Name = view(function Name({ model, open, field }: Props & { field: React.RefObject<HTMLInputElement | null> }) {
  if (open.name !== undefined)
    return (
      <p className="request-known">
        <span>{t('request.sendAs', { name: isolate(open.name) })}</span>
        <button type="button" className="text-link" onClick={() => void model.leave()}>
          {t('request.notYou')}
        </button>
      </p>
    )
  if (!open.asksName) return null
  return (
    <Field
      ref={field}
      label={t('request.name')}
      hint={t('request.nameHint')}
      error={model.isNameMissing.value ? t('refusal.senderNameMissing') : undefined}
      autoComplete="name"
      dir="auto"
      maxLength={100}
      value={model.name.value}
      onChange={(event) => {
        model.name.value = event.target.value
        model.isNameMissing.value = false
      }}
    />
  )
})

const Notes = view(function Notes({ open, isBegun }: { open: OpenRequest; isBegun: boolean }) {
  const left = useTimeLeft(open.expire)
  const end =
    left !== undefined && left < soon
      ? t('request.closesIn', { time: formatDuration(Math.max(0, left / 1000)) })
      : t('request.openUntil', { date: formatDate(open.expire * 1000) })
  return (
    <div className="request-notes">
      {!isBegun && open.unfinished.length > 0 && <p>{t('request.unfinished', { count: open.unfinished.length })}</p>}
      {!isBegun && open.sentCount > 0 && <p>{t('request.sent', { count: open.sentCount })}</p>}
      {left !== undefined && <p>{end}</p>}
    </div>
  )
})

/** Milliseconds, drawn again each minute; undefined for a link without an end. @param expire seconds since the epoch */
function useTimeLeft(expire: number): number | undefined {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return expire === 0 ? undefined : expire * 1000 - now
}

/** Endings that are named one by one. */
const mostNamed = 8

function limitsOf({ endings, mostFileBytes }: OpenRequest): string {
  const size = formatSize(mostFileBytes)
  if (!endings) return t('request.eachAtMost', { size })
  const kind = kindOf(endings)
  const named = endings.slice(0, mostNamed).map((ending) => `.${ending}`)
  const kinds = kind ? t(`requests.kind.${kind}`) : isolate([...named, ...(endings.length > mostNamed ? ['…'] : [])].join(' '))
  return t('request.limits', { kinds, size })
}
