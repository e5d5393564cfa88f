import { useState } from 'react'
import type { Opened } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Dialog } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { Versions } from '../ui/versions.tsx'
import { view } from '../ui/view.tsx'
import { ChoiceButtons, ForRest, Note } from './choice-parts.tsx'
import { type Choice, conflictsSlice, type NameConflict } from './conflicts.ts'
import { namedReplaced } from './replaced-inside.ts'

/** Asks what to do with an item whose name is taken in the target folder; the answer can apply to all remaining ones. */
export const NameConflictPrompt = view(function NameConflictPrompt({ conflicts, into, onClose }: Opened<'nameConflicts'>) {
  const workspace = useWorkspace()
  const [forAll, setForAll] = useState(false)
  const [first] = conflicts
  if (!first) return null
  const folder = nameOf(into) || t('sidebar.myFiles')
  const rest = conflicts.length - 1
  const answered = forAll ? conflicts : [first]
  const isReplaceable = mayReplace(workspace, answered)
  const answer = (choice: Choice) => workspace.use(conflictsSlice).answer(choice, { forAll })
  return (
    <Dialog
      title={t('prompts.taken.title', { count: conflicts.length })}
      description={t('prompts.replace.holds', { folder: isolate(folder), name: isolate(first.item.name) })}
      wide
      onClose={onClose}
      foot={<ChoiceButtons onAnswer={answer} mayReplace={isReplaceable} isMerge={answered.every(isMerge)} />}
    >
      <Sides of={first} />
      {isReplaceable && answered.some(makesWay) && <Note icon="info-circle" text={t('prompts.taken.makesWay')} />}
      {answered.some(isMerge) && <MergeNote conflicts={answered} />}
      {rest > 0 && <ForRest label={t('prompts.taken.rest', { count: rest })} isOn={forAll} onChange={setForAll} />}
    </Dialog>
  )
})

const Sides = view(function Sides({ of: { item, existing, isRestored } }: { of: NameConflict }) {
  if (isRestored && (item.isDir || existing.isDir)) return null
  if (item.isDir !== existing.isDir) return <Note icon="info-circle" text={t('prompts.taken.mixed')} />
  if (item.isDir) return null
  const title = t(isRestored ? 'prompts.taken.restored' : 'prompts.taken.coming')
  const coming = { title, size: item.size, modified: Date.parse(item.modified) }
  const there = { title: t('prompts.replace.there'), size: existing.size, modified: Date.parse(existing.modified) }
  return <Versions coming={coming} there={there} />
})

const isMerge = ({ item, existing, isRestored }: NameConflict): boolean => !isRestored && item.isDir && existing.isDir

/** Whether what has the name goes into the trash as a whole. */
const makesWay = ({ item, existing, isRestored }: NameConflict): boolean => isRestored === true && (item.isDir || existing.isDir)

// Replacing needs the permission to modify; a file and a folder cannot replace each other, unless the trash takes one of them.
const mayReplace = (workspace: Workspace, conflicts: readonly NameConflict[]): boolean =>
  workspace.may('modify') &&
  conflicts.every((one) => (makesWay(one) ? workspace.may('delete') : one.item.isDir === one.existing.isDir))

/** Explains what merging folders does: the number of files that are replaced, and the names of the first. */
const MergeNote = view(function MergeNote({ conflicts }: { conflicts: readonly NameConflict[] }) {
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
