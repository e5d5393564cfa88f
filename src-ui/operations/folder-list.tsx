import { type MouseEvent, useEffect, useRef } from 'react'
import type { Item } from '../core/entries.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { type Folder, pickerSlice } from './picker.ts'
import { goIn, isTransferred } from './picker-commands.ts'

type Props = { kind: 'move' | 'copy' | 'choose'; items: readonly Item[]; from: string }

/** The subfolders of a folder, as one tab stop. A click marks a folder; a second click or one on its arrow opens it. */
export const FolderList = view(function FolderList({ kind, items, from }: Props) {
  const picker = useSlice(pickerSlice)
  const { folders, active, problem } = picker.state.value
  const list = useMarkedInView(active)
  return (
    <div className="picker-body">
      <div
        className="picker-list"
        role="listbox"
        ref={list}
        tabIndex={0}
        data-first-focus
        data-scope="picker"
        aria-label={t('prompts.picker.folders')}
        aria-busy={!folders || undefined}
        aria-activedescendant={active === undefined ? undefined : optionId(active)}
      >
        {folders?.map((folder, index) => (
          <Option
            key={folder.path}
            folder={folder}
            index={index}
            isMarked={index === active}
            isDisabled={isTransferred(items, folder.path)}
            note={noteOf({ folder, kind, items, from })}
          />
        ))}
      </div>
      {(!folders || folders.length === 0) && (
        <p className="picker-none" role="status">
          {folders ? (problem ?? t('prompts.picker.none')) : t('prompts.picker.wait')}
        </p>
      )}
    </div>
  )
})

type OptionProps = { folder: Folder; index: number; isMarked: boolean; isDisabled: boolean; note: string | undefined }

function Option({ folder, index, isMarked, isDisabled, note }: OptionProps) {
  const workspace = useWorkspace()
  const picker = workspace.use(pickerSlice)
  const press = (event: MouseEvent) => {
    if (isDisabled) return
    picker.mark(index)
    if (isMarked || isOnArrow(event)) goIn(workspace)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the list are in the command table
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the marked option
    <div
      className="picker-item"
      id={optionId(index)}
      role="option"
      aria-selected={isMarked}
      aria-disabled={isDisabled || undefined}
      onClick={press}
    >
      <FileIcon of={{ name: folder.name, isDir: true }} />
      <FileName name={folder.name} isDir />
      {note ? (
        <small>{note}</small>
      ) : (
        <span className="picker-arrow" data-arrow>
          <Icon name="chevron-right" small />
        </span>
      )}
    </div>
  )
}

const optionId = (index: number): string => `folder-option-${index}`
const isOnArrow = (event: MouseEvent) => (event.target as Element).closest('[data-arrow]') !== null

type Noted = Props & { folder: Folder }

function noteOf({ folder, kind, items, from }: Noted): string | undefined {
  if (isTransferred(items, folder.path)) return t('prompts.picker.onItsWay')
  return kind === 'move' && folder.path === from ? t('prompts.picker.here') : undefined
}

function useMarkedInView(active: number | undefined) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return list
}
