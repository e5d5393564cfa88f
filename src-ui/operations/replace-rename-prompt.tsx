import { useState } from 'react'
import { close } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import { user } from '../core/session.ts'
import { isolate, t } from '../i18n/t.ts'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import type { Choice } from '../uploads/upload-queue.ts'
import { ChoiceButtons, ForRest, Note } from './choice-parts.tsx'
import { answerNameConflicts, type NameConflict } from './conflicts.ts'
import { Versions } from './versions.tsx'

type Props = { taken: readonly NameConflict[]; into: string }

/** Something is moved or copied to where its name is taken: replace, keep both or skip, for this one or for all that remain. */
export const ReplaceRenamePrompt = view(function ReplaceRenamePrompt({ taken, into }: Props) {
  const [forAll, setForAll] = useState(false)
  const [first] = taken
  if (!first) return null
  const folder = nameOf(into) || t('sidebar.myFiles')
  const rest = taken.length - 1
  const answer = (choice: Choice) => answerNameConflicts(choice, { forAll })
  return (
    <Dialog
      title={t('prompts.taken.title', { count: taken.length })}
      description={t('prompts.replace.holds', { folder: isolate(folder), name: isolate(first.item.name) })}
      wide
      onClose={() => close('replace-rename')}
      foot={<ChoiceButtons onAnswer={answer} mayReplace={mayReplace(forAll ? taken : [first])} />}
    >
      <Sides of={first} />
      {rest > 0 && <ForRest label={t('prompts.taken.rest', { count: rest })} isOn={forAll} onChange={setForAll} />}
    </Dialog>
  )
})

const Sides = view(function Sides({ of: { item, existing } }: { of: NameConflict }) {
  if (item.isDir !== existing.isDir) return <Note icon="info-circle" text={t('prompts.taken.mixed')} />
  if (item.isDir) return <Note icon="folder" text={t('prompts.taken.merge')} />
  const coming = { title: t('prompts.taken.coming'), size: item.size, modified: Date.parse(item.modified) }
  const there = { title: t('prompts.replace.there'), size: existing.size, modified: Date.parse(existing.modified) }
  return <Versions coming={coming} there={there} />
})

// Replacing changes what is there, which is a right of its own; and a file and a folder cannot take each other's place.
const mayReplace = (taken: readonly NameConflict[]): boolean =>
  (user.value?.perm.modify ?? false) && taken.every(({ item, existing }) => item.isDir === existing.isDir)
