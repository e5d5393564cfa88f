import { useEffect, useRef, useState } from 'react'
import { rawAddress } from '../api/addresses.ts'
import { fetchRange } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { failureReason } from '../core/failure-reason.ts'
import { formatExactSize, formatPercent } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { Foot } from './foot.tsx'

/** Bytes that are shown at a time. */
const pageSize = 64 << 10
/** Bytes of the longest character in UTF-8, less one: the last character of a page may end in the next one. */
const overlap = 3

type Page = { kind: 'loading' } | { kind: 'shown'; text: string } | { kind: 'failed'; reason: string }

/** A window onto a file that is too large for the editor, or that is no text. */
export const LargeView = view(function LargeView({ file }: { file: Entry }) {
  const pages = Math.max(1, Math.ceil(file.size / pageSize))
  const [index, setIndex] = useState(0)
  const [attempt, setAttempt] = useState(0)
  const place = useRef<HTMLPreElement>(null)
  const page = usePage(file, index, attempt)
  const go = (wanted: number) => setIndex(Math.min(pages - 1, Math.max(0, wanted)))
  return (
    <div className="document">
      <div className="banner" role="status">
        <p className="banner-text">{t(file.size > 10 << 20 ? 'editor.large.tooLarge' : 'editor.large.binary')}</p>
      </div>
      {page.kind === 'failed' ? (
        <div className="pane large-failed" role="alert">
          <p>{page.reason}</p>
          <Button label={t('action.retry')} onClick={() => setAttempt(attempt + 1)} />
        </div>
      ) : (
        <pre
          className="large-text"
          tabIndex={0}
          role="region"
          aria-label={t('editor.content')}
          aria-busy={page.kind === 'loading'}
          ref={place}
        >
          {page.kind === 'shown' ? page.text : ''}
        </pre>
      )}
      <Foot className="statusbar large-bar">
        <Button small kind="quiet" label={t('editor.large.start')} disabled={index === 0} onClick={() => go(0)} />
        <IconButton
          small
          icon="chevron-up"
          label={t('editor.large.previous')}
          disabled={index === 0}
          onClick={() => go(index - 1)}
        />
        <input
          type="range"
          min={0}
          max={pages - 1}
          value={index}
          aria-label={t('editor.large.position')}
          aria-valuetext={formatPercent(pages === 1 ? 1 : index / (pages - 1))}
          onChange={(event) => go(Number(event.currentTarget.value))}
        />
        <span>{formatPercent(pages === 1 ? 1 : index / (pages - 1))}</span>
        <IconButton
          small
          icon="chevron-down"
          label={t('editor.large.next')}
          disabled={index === pages - 1}
          onClick={() => go(index + 1)}
        />
        <Button small kind="quiet" label={t('editor.large.end')} disabled={index === pages - 1} onClick={() => go(pages - 1)} />
        <span className="grow" />
        <span className="statusbar-extra">{formatExactSize(file.size)}</span>
        <span>{t('editor.readOnly')}</span>
      </Foot>
    </div>
  )
})

/** Milliseconds for which a position must stand before it is read: while a slider is dragged none of its positions is. */
const delay = 120

function usePage({ path, size }: Entry, index: number, attempt: number): Page {
  const [page, setPage] = useState<Page>({ kind: 'loading' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more for each attempt
  useEffect(() => {
    const stopping = new AbortController()
    const [start, end] = [index * pageSize, Math.min(size, (index + 1) * pageSize + overlap)]
    const read = async () => {
      try {
        const bytes = end > start ? await fetchRange(rawAddress(path), { start, end }, stopping.signal) : new Uint8Array()
        if (!stopping.signal.aborted) setPage({ kind: 'shown', text: textOfPage(bytes, index > 0) })
      } catch (failure) {
        if (!stopping.signal.aborted) setPage({ kind: 'failed', reason: failureReason(failure) })
      }
    }
    const timer = setTimeout(() => void read(), index === 0 ? 0 : delay)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [path, size, index, attempt])
  return page
}

/** A character that two pages share belongs to the first. Control characters are drawn as signs. */
export function textOfPage(bytes: Uint8Array, isLater: boolean): string {
  let [start, end] = [0, Math.min(bytes.length, pageSize)]
  while (isLater && start < overlap && isContinuation(bytes[start])) start++
  while (end < bytes.length && isContinuation(bytes[end])) end++
  const text = new TextDecoder().decode(bytes.subarray(start, end))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
