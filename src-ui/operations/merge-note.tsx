import { isolate, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { Note } from './choice-parts.tsx'
import type { NameConflict } from './conflicts.ts'
import { namedReplaced } from './replaced-inside.ts'

/** Explains what merging folders does: the number of files that are replaced, and the names of the first. */
export const MergeNote = view(function MergeNote({ conflicts }: { conflicts: readonly NameConflict[] }) {
  const found = conflicts.flatMap(({ replaced }) => replaced ?? [])
  const count = found.reduce((sum, { count }) => sum + count, 0)
  const isComplete = found.every((one) => one.isComplete)
  const names = found.flatMap(({ names }) => names).slice(0, namedReplaced)
  return (
    <>
      <Note icon="folder" text={t('prompts.taken.merge')} />
      {count > 0 && <p>{t('prompts.taken.replaced', { count })}</p>}
      {count === 0 && isComplete && <p>{t('prompts.taken.noneReplaced')}</p>}
      {count > 0 && (
        <ul className="replaced">
          {names.map((name) => (
            <li key={name}>{isolate(visibleName(name))}</li>
          ))}
          {count > names.length && <li>{t('prompts.delete.more', { count: count - names.length })}</li>}
        </ul>
      )}
      {!isComplete && <p>{t('prompts.taken.incomplete')}</p>}
    </>
  )
})
