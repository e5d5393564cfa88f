import 'holdall:icons/later'
import 'holdall:words/later'
import { useMemo } from 'react'
import { callForFile } from '../api/http.ts'
import { Loading, useLoaded } from '../core/loaded.tsx'
import type { Opened } from '../core/overlay.ts'
import { formatDate } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { splitEndings } from './line-endings.ts'
import { readText } from './text-calls.ts'
import { type Sides, useDifferences } from './use-differences.ts'

/** An earlier version of a file beside the present one. */
export const CompareDialog = view(function CompareDialog(opened: Opened<'compareVersion'>) {
  const { path, name, id, when, onRestore, onClose } = opened
  const load = useMemo(() => (signal: AbortSignal) => readBoth({ path, id, when }, signal), [path, id, when])
  const loaded = useLoaded(load)
  const restore = () => {
    onClose()
    onRestore?.()
  }
  return (
    <Dialog
      title={t('editor.compare.title', { name: isolate(visibleName(name)) })}
      wide
      onClose={onClose}
      foot={
        <>
          {onRestore && <Button icon="arrow-back-up" label={t('prompts.info.restoreVersion')} onClick={restore} />}
          <Button label={t('action.done')} data-first-focus onClick={onClose} />
        </>
      }
    >
      <Loading loaded={loaded}>
        {(sides) => (sides === 'noText' ? <p>{t('editor.compare.noText')}</p> : <Both sides={sides} />)}
      </Loading>
    </Dialog>
  )
})

const Both = view(function Both({ sides }: { sides: Sides }) {
  const [place, step] = useDifferences(sides)
  return (
    <div className="compare">
      <div className="diff-heads">
        <div className="diff-head">
          <h2>{sides.beforeName}</h2>
        </div>
        <div className="diff-head">
          <h2>{sides.nowName}</h2>
          <span className="muted" />
          <IconButton small smallIcon icon="chevron-up" label={t('editor.conflict.previous')} onClick={() => step(-1)} />
          <IconButton small smallIcon icon="chevron-down" label={t('editor.conflict.next')} onClick={() => step(1)} />
        </div>
      </div>
      <div className="diff" ref={place} />
    </div>
  )
})

/** Bytes of a text beyond which it is not read, as of a file that is opened. */
const largestText = 10 << 20

type Compared = { path: string; id: string; when: number }

/** @returns `noText` when one of them is none, or is too large @throws HttpFailure */
async function readBoth({ path, id, when }: Compared, signal: AbortSignal): Promise<Sides | 'noText'> {
  const [now, before] = await Promise.all([
    readText(path, { signal }),
    callForFile('GET /api/trash/raw/:id', { params: { id }, signal }),
  ])
  if (!now || before.size > largestText) return 'noText'
  const text = decode(await before.arrayBuffer(), now.encoding)
  if (text.includes('\0')) return 'noText'
  return {
    ...{ before: splitEndings(text).text, beforeName: t('editor.compare.then', { date: formatDate(when) }) },
    ...{ now: splitEndings(now.text).text, nowName: t('editor.compare.now') },
  }
}

/** In the encoding of the present version: it was most likely the same. */
function decode(bytes: ArrayBuffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
