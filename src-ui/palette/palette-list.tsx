import { showChord } from '../core/key-names.ts'
import { t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { FinderGroup } from '../ui/finder.tsx'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/keys.tsx'
import type { PaletteGroup, PaletteLine } from './find-commands.ts'

type Props = {
  id: string
  groups: readonly PaletteGroup[]
  active: PaletteLine | undefined
  optionOf: (id: string) => string
  onChoose: (line: PaletteLine) => void
  /** More may be found. */
  isSearching: boolean
}

/** The lines that match the typed text. The field above keeps the focus. */
export function PaletteList({ id, groups, active, optionOf, onChoose, isSearching }: Props) {
  return (
    <>
      <div className="finder-list" role="listbox" id={id} aria-label={t('palette.title')}>
        {groups.map(({ title, lines }) => (
          <FinderGroup key={title} title={title}>
            {lines.map((line) => (
              <Option
                key={line.id}
                id={optionOf(line.id)}
                line={line}
                isActive={line.id === active?.id}
                onChoose={() => onChoose(line)}
              />
            ))}
          </FinderGroup>
        ))}
      </div>
      {groups.length === 0 && !isSearching && (
        <p className="finder-none" role="status">
          {t('palette.none')}
        </p>
      )}
    </>
  )
}

type OptionProps = { id: string; line: PaletteLine; isActive: boolean; onChoose: () => void }

function Option({ id, line, isActive, onChoose }: OptionProps) {
  const { folder, place, icon, label, chord, refusal } = line
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
    <div
      id={id}
      className="command"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={refusal !== undefined || undefined}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {folder ? <FileIcon of={{ name: folder.name, isDir: true }} /> : icon ? <Icon name={icon} /> : <span className="icon" />}
      <span className="label" dir={folder ? 'auto' : undefined}>
        {label}
        {place && ' '}
        {place && <small className="command-place">{place}</small>}
        {refusal && <span className="menu-reason">{refusal}</span>}
      </span>
      {chord && (
        <span className="command-keys" dir="ltr">
          <Keys shown={showChord(chord)} />
        </span>
      )}
    </div>
  )
}
