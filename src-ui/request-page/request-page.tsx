import { type ReactNode, useEffect, useState } from 'react'
import { pageConfig } from '../api/page-config.ts'
import { bringsFiles, readDrop } from '../api/read-drop.ts'
import { Brand } from '../core/brand.tsx'
import { formatDate } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { LockedLink } from '../share-page/locked-link.tsx'
import { Art, type ArtName } from '../ui/art.tsx'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { OpenForm } from './open-form.tsx'
import { ReceiptList, ReceiptView } from './receipt-view.tsx'
import type { RequestModel } from './request-model.ts'
import type { ClosedRequest } from './request-state.ts'
import { SentRows } from './sent-rows.tsx'

/** The page of a link that takes files in. */
export const RequestPage = view(function RequestPage({ model }: { model: RequestModel }) {
  const state = model.state.value
  const title = titleOf(model)
  useEffect(() => {
    document.title = `${title} · ${pageConfig.Name}`
  }, [title])
  // Not on a locked link: a style sheet must not be where a password is typed.
  const isOpen = state.kind === 'open' || state.kind === 'closed'
  useEffect(() => {
    const link = document.getElementById('branding-style')
    if (link instanceof HTMLLinkElement) link.disabled = !isOpen
  }, [isOpen])
  const isDropping = useDrop(model)
  const unlock = async (password?: string) => {
    const { kind } = state
    await model.unlock(password)
    if (model.state.peek().kind !== kind) requestAnimationFrame(() => document.getElementById('main')?.focus())
  }
  const receipt = model.receipt.value
  return (
    <div className="login share-door" data-dropping={isDropping || undefined}>
      <header className="share-header">
        <Brand />
      </header>
      <main className="login-middle" id="main" tabIndex={-1}>
        <div className={isOpen ? 'bag bag-wide' : 'bag'}>
          <svg className="bag-handle" viewBox="0 0 132 52" aria-hidden="true">
            <path d="M24 52V37a34 34 0 0 1 34-34h16a34 34 0 0 1 34 34v15" />
          </svg>
          <div className="bag-card request-card">
            {receipt && <ReceiptView model={model} receipt={receipt} />}
            {!receipt && state.kind === 'open' && <OpenForm model={model} open={state} />}
            {!receipt && state.kind === 'closed' && <Closed model={model} closed={state} />}
            {state.kind === 'locked' && <LockedLink state={state} onOpen={unlock} />}
            {state.kind === 'gone' && <Message art="torn" title={t('share.gone')} text={t('share.goneText')} />}
            {state.kind === 'failed' && (
              <Message art="split" title={t('share.failed')} text={t('share.failedText')}>
                <Button kind="primary" wide label={t('action.retry')} onClick={() => void unlock()} />
              </Message>
            )}
          </div>
        </div>
      </main>
      <p className="visually-hidden" role="status">
        {newsOf(model)}
      </p>
      <footer className="login-foot">
        <span>{t('request.footer', { name: isolate(pageConfig.Name) })}</span>
      </footer>
    </div>
  )
})

const Closed = view(function Closed({ model, closed }: { model: RequestModel; closed: ClosedRequest }) {
  const { done, failed } = model.files.totals.value
  return (
    <>
      <Message
        art="torn"
        title={t('request.closed')}
        text={t('request.closedText', { date: formatDate(closed.closedAt * 1000) })}
      />
      {done > 0 && <p>{t('request.hadArrived', { count: done })}</p>}
      {failed > 0 && <p>{t('request.notArrived', { count: failed })}</p>}
      <SentRows model={model} only="failed" />
      <ReceiptList hash={model.hash} receipts={closed.receipts} />
    </>
  )
})

function Message({ art, title, text, children }: { art: ArtName; title: string; text: string; children?: ReactNode }) {
  return (
    <>
      <div className="bag-object">
        <Art name={art} />
        <div className="bag-title">
          <h1>{title}</h1>
          <p>{text}</p>
        </div>
      </div>
      {children}
    </>
  )
}

/** A link with a password says nothing of what it is for. */
function titleOf({ state, receipt }: RequestModel): string {
  const { value } = state
  if (receipt.value) return t('request.arrived', { count: receipt.value.files.length })
  if (value.kind === 'open') return value.title
  if (value.kind === 'closed') return t('request.closed')
  if (value.kind === 'locked') return t('share.locked')
  return value.kind === 'gone' ? t('share.gone') : t('share.failed')
}

/** In sums: a folder may have thousands of files. */
function newsOf({ files, receipt, state }: RequestModel): string {
  const { open, done } = files.totals.value
  if (state.value.kind !== 'open') return titleOf({ state, receipt } as RequestModel)
  if (receipt.value) return t('request.arrived', { count: receipt.value.files.length })
  if (!files.isBegun.value) return ''
  return done > 0 && done % 10 === 0 ? t('request.arrived', { count: done }) : t('request.sending', { count: open + done })
}

/** Files that are dropped anywhere on the page are chosen. @returns whether some are above it */
function useDrop(model: RequestModel): boolean {
  const [isDropping, setDropping] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    const how = { signal: leaving.signal }
    const over = (event: DragEvent) => {
      if (!bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      setDropping(model.state.peek().kind === 'open' && !model.receipt.peek())
    }
    window.addEventListener('dragover', over, how)
    window.addEventListener('dragleave', (event) => event.relatedTarget === null && setDropping(false), how)
    const drop = async (event: DragEvent) => {
      event.preventDefault()
      setDropping(false)
      if (!event.dataTransfer || model.state.peek().kind !== 'open' || model.receipt.peek()) return
      for await (const part of readDrop(event.dataTransfer)) model.files.add(part)
    }
    window.addEventListener('drop', (event) => void drop(event), how)
    return () => leaving.abort()
  }, [model])
  return isDropping
}
