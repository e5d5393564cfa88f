import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { Icon, type IconName } from './icon.tsx'

type FieldProps = ComponentProps<'input'> & {
  icon: IconName
  listId: string
  /** The index of the active option in the list; negative without one. */
  active: number
  isExpanded: boolean
  /** What is behind the input. */
  children: ReactNode
}

/** The id of an option: the options are counted through all groups. */
export const optionId = (listId: string, index: number) => `${listId}-${index}`

/** A field that keeps the focus while its keys choose in a list, which shows the active option. */
export function FinderField({ icon, listId, active, isExpanded, children, ...input }: FieldProps) {
  const activeId = active < 0 ? undefined : optionId(listId, active)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another list
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, input.value])
  return (
    <div className="finder-field">
      <Icon name={icon} />
      <input
        role="combobox"
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        {...input}
      />
      {children}
    </div>
  )
}

/** Options of the list under a title. */
export function FinderGroup({ title, hasTitle = true, children }: { title: string; hasTitle?: boolean; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a listbox is no fieldset
    <div role="group" aria-label={title}>
      {hasTitle && (
        <div className="finder-group" role="presentation">
          {title}
        </div>
      )}
      {children}
    </div>
  )
}
