import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import type { Entry } from '../core/entries.ts'
import { showChord } from '../core/key-names.ts'
import { activeScopes } from '../core/keyboard.ts'
import type { Opened } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Modal, ModalTitle } from '../ui/dialog.tsx'
import { FinderField, optionId } from '../ui/finder.tsx'
import { Keys } from '../ui/keys.tsx'
import { view } from '../ui/view.tsx'
import { type PaletteLine, paletteGroups } from './find-commands.ts'
import { PaletteList } from './palette-list.tsx'
import { useFolders } from './use-folders.ts'

/** The command palette. */
export const Palette = view(function Palette({ onClose }: Opened<'palette'>) {
  const chosen = useRef<PaletteLine>(undefined)
  const choose = (line: PaletteLine) => {
    if (line.refusal !== undefined) return
    chosen.current = line
    onClose()
  }
  // Restore the focus before running the command, so that a dialog it opens returns the focus there.
  const act = (giveBack: () => void) => {
    giveBack()
    if (chosen.current) queueMicrotask(chosen.current.run)
  }
  return (
    <Modal className="finder" place="finder-place" onClose={onClose} onClosed={act}>
      <ModalTitle className="visually-hidden">{t('palette.title')}</ModalTitle>
      <Finder onChoose={choose} />
    </Modal>
  )
})

const Finder = view(function Finder({ onChoose }: { onChoose: (line: PaletteLine) => void }) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const { folders, isSearching } = useFolders(typed)
  const groups = usePaletteGroups(typed, folders)
  const lines = groups.flatMap((group) => group.lines)
  const current = lines[active]
  // The id of a line may contain spaces, which are not allowed in an HTML id.
  const optionOf = (id: string) =>
    optionId(
      listId,
      lines.findIndex((line) => line.id === id),
    )

  // These keys belong to the combobox; all others are handled by the command table.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = stepOf(event.key, active, lines.length)
    if (next === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (next !== undefined) setActive(next)
    else if (current) onChoose(current)
  }
  return (
    <>
      <FinderField
        icon="command"
        listId={listId}
        active={current ? active : -1}
        isExpanded
        aria-label={t('palette.field')}
        placeholder={t('palette.placeholder')}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      >
        <Keys shown={showChord('Escape')} />
      </FinderField>
      <PaletteList
        id={listId}
        groups={groups}
        active={current}
        optionOf={optionOf}
        onChoose={onChoose}
        isSearching={isSearching}
      />
    </>
  )
})

// The scopes that were active when the palette was opened.
function usePaletteGroups(typed: string, folders: readonly Entry[]) {
  const workspace = useWorkspace()
  const [scopes] = useState(() => activeScopes(workspace, { kind: 'none' }))
  return useMemo(() => paletteGroups(workspace, typed, scopes, undefined, folders), [workspace, typed, scopes, folders])
}

/** The index that an arrow key selects, cyclically; undefined for any other key. */
function stepOf(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (from + 1) % Math.max(1, count)
  if (key === 'ArrowUp') return (from - 1 + count) % Math.max(1, count)
  return undefined
}
