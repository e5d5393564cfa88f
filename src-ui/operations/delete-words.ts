// What is said before something is deleted.
import type { TreeSize } from '../../src-server/contract/files.ts'
import type { Item } from '../core/entries.ts'
import { formatSize } from '../i18n/format.ts'
import { listFormat } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { isolate, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { countsOf, plus } from './folder-size.ts'

/** The maximum number of items in the text; of more, two are named and the rest are counted. */
const named = 3

/** Nothing can be asked of the server about such a name. */
export const isNameable = ({ unreachable }: Item): boolean => unreachable !== 'name'

/** How many of the chosen cannot be deleted. */
export function leftOutWords(chosen: readonly Item[]): string | false {
  const count = chosen.filter((item) => !isNameable(item)).length
  return count > 0 && t('prompts.delete.leftOut', { count })
}

/** Whether items are to be deleted, or to be deleted for good. */
export function titleOf(items: readonly Pick<Item, 'name'>[], isForGood: boolean): string {
  const [only] = items
  if (items.length === 1 && only) {
    const name = isolate(visibleName(only.name))
    return isForGood ? t('trash.purgeTitleNamed', { name }) : t('prompts.delete.titleNamed', { name })
  }
  return t(isForGood ? 'trash.purgeTitle' : 'prompts.delete.title', { count: items.length })
}

/** What the folders among some items hold, as far as it is counted. */
export type Counted = { holds?: TreeSize | undefined; isComplete: boolean }

/** What will be deleted, and its size. */
export function wordsOf(items: readonly Item[], counted: Counted): string {
  const folders = items.filter(({ isDir }) => isDir)
  return joinSentences(
    items.length > 1 && t('prompts.delete.names', { names: listOf(items) }),
    sizeOf(items, counted),
    folders.length > 0 && t(folders.length === 1 ? 'prompts.delete.folder' : 'prompts.delete.folders'),
  )
}

/** The size of all is told as one only when it is known what the folders hold. */
function sizeOf(items: readonly Item[], { holds, isComplete }: Counted): string | false {
  const files = items.filter(({ isDir }) => !isDir)
  const all = plus(holds, { bytes: files.reduce((sum, { size }) => sum + size, 0), count: files.length })
  const size = formatSize(all.bytes)
  if (files.length === items.length) return t('prompts.delete.size', { size })
  if (isComplete && all.unlisted === 0) return t('prompts.delete.holds', { counts: countsOf(all), size })
  return (holds !== undefined || files.length > 0) && t('prompts.delete.atLeast', { size })
}

/** Names those that have another content by now than when they were chosen. */
export function changedWords(chosen: readonly Item[], now: readonly Item[]): string | false {
  const before = new Map(chosen.map((item) => [item.path, item]))
  const changed = now.filter((item) => isChanged(before.get(item.path), item))
  return changed.length > 0 && t('prompts.delete.changed', { names: listOf(changed) })
}

// What a folder holds changes its date, and the question is about all that it holds.
const isChanged = (before: Item | undefined, now: Item): boolean =>
  before !== undefined && !now.isDir && (before.size !== now.size || before.modified !== now.modified)

function listOf(items: readonly Item[]): string {
  const shown = items.length > named ? items.slice(0, named - 1) : items
  const names = shown.map(({ name }) => isolate(visibleName(name)))
  const rest = items.length - shown.length
  const all = rest > 0 ? [...names, t('prompts.delete.more', { count: rest })] : names
  return listFormat(locale.value.code).format(all)
}
