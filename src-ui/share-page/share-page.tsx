import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { baseURL, pageConfig } from '../api/page-config.ts'
import type { SharedPlace } from '../api/shared.ts'
import { Brand } from '../core/brand.tsx'
import { isolate, t } from '../i18n/t.ts'
import { Art, type ArtName } from '../ui/art.tsx'
import { Button } from '../ui/button.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { followLink } from './follow-link.ts'
import { LockedLink } from './locked-link.tsx'
import { SharedEntry } from './shared-entry.tsx'
import { readShared, type SharedState } from './shared-state.ts'

type Props = { place: SharedPlace; first: SharedState }

/** The page of a public link. */
export const SharePage = view(function SharePage({ place, first }: Props) {
  const [state, setState] = useState(first)
  const title = titleOf(state)
  useEffect(() => {
    document.title = `${title} · ${pageConfig.Name}`
  }, [title])
  // Not on a locked link: a style sheet must not be where a password is typed.
  const isOpen = state.kind === 'shown'
  useEffect(() => {
    const link = document.getElementById('branding-style')
    if (link instanceof HTMLLinkElement) link.disabled = !isOpen
  }, [isOpen])
  const [news, setNews] = useState('')
  const replace = useCallback((next: SharedState) => {
    setState(next)
    setNews(next.kind === 'shown' ? '' : titleOf(next))
  }, [])
  useFollowed(place, isOpen, replace)
  const again = async (password?: string) => {
    const next = await readShared(place, password)
    setState(next)
    if (next.kind === state.kind || next.kind === 'locked') return
    // What had the focus goes away. Not at once: the password field takes the focus until it goes.
    requestAnimationFrame(() => document.getElementById('main')?.focus())
  }
  return (
    <div className="login share-door">
      <header className="share-header">
        <Brand />
        {pageConfig.LoginPage && <HeaderLink to="/login" label={t('command.login')} />}
        {pageConfig.Signup && <HeaderLink to="/login?signup" label={t('signUp.submit')} />}
      </header>
      <main className="login-middle" id="main" tabIndex={-1}>
        <div className={state.kind === 'shown' && state.resource.isDir ? 'bag bag-wide' : 'bag'}>
          <svg className="bag-handle" viewBox="0 0 132 52" aria-hidden="true">
            <path d="M24 52V37a34 34 0 0 1 34-34h16a34 34 0 0 1 34 34v15" />
          </svg>
          <div className="bag-card">
            {state.kind === 'shown' && <SharedEntry place={place} resource={state.resource} onRefused={replace} />}
            {state.kind === 'locked' && <LockedLink state={state} onOpen={again} />}
            {state.kind === 'gone' && <Message art="torn" title={t('share.gone')} text={t('share.goneText')} />}
            {state.kind === 'failed' && (
              <Message art="split" title={t('share.failed')} text={t('share.failedText')}>
                <Button kind="primary" wide label={t('action.retry')} onClick={() => void again()} />
              </Message>
            )}
          </div>
        </div>
      </main>
      <p className="visually-hidden" role="status">
        {news}
      </p>
      <footer className="login-foot">
        <span>{t('share.sharedWith', { name: isolate(pageConfig.Name) })}</span>
      </footer>
    </div>
  )
})

/** Reads the link of an open page again when it has changed. A server that does not answer changes nothing. */
function useFollowed(place: SharedPlace, isOpen: boolean, replace: (next: SharedState) => void) {
  useEffect(() => {
    if (!isOpen) return undefined
    let isOver = false
    const read = async () => {
      const next = await readShared(place)
      if (!isOver && next.kind !== 'failed') replace(next)
    }
    const end = followLink({ hash: place.hash, read })
    return () => {
      isOver = true
      end()
    }
  }, [place, isOpen, replace])
}

function HeaderLink({ to, label }: Record<'to' | 'label', string>) {
  return (
    <a className="button button-quiet" href={baseURL + to}>
      <span className="label">{label}</span>
    </a>
  )
}

/** A link with a password says nothing of what it leads to. */
function titleOf(state: SharedState): string {
  if (state.kind === 'shown') return visibleName(state.resource.name) || t('share.root')
  if (state.kind === 'locked') return t('share.locked')
  return state.kind === 'gone' ? t('share.gone') : t('share.failed')
}

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
