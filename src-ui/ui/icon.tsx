import everywhere from 'holdall:icons/everywhere'
import { signal } from '@preact/signals-core'
import type { IconX } from '@tabler/icons-react'
import type { IconName } from './icons.ts'
import { view } from './view.tsx'

type Drawings = Partial<Record<string, typeof IconX>>

/** Those of every page, and what is added. */
const drawings: Drawings = { ...everywhere }
const additions = signal(0)

/** Adds icons: those of the first page, which the page of a public link does not need, and those of lazy parts. @public what scripts/split-icons.ts writes calls it */
export function addIcons(some: Drawings): void {
  Object.assign(drawings, some)
  additions.value += 1
}

export type { IconName }

// Icons that are mirrored in right-to-left languages.
const mirrored: ReadonlySet<IconName> = new Set<IconName>([
  'arrow-back-up',
  'arrow-forward-up',
  'arrow-left',
  'chevron-left',
  'chevron-right',
  'login-2',
  'logout',
  'layout-sidebar',
])

type Props = { name: IconName; small?: boolean; className?: string }

/** An icon, hidden from screen readers: the text beside it or the label of the button names it. */
export function Icon({ name, small = false, className = '' }: Props) {
  const classes = ['icon', small && 'icon-small', mirrored.has(name) && 'icon-mirror', className].filter(Boolean).join(' ')
  const Drawing = drawings[name]
  return Drawing ? <Drawing className={classes} aria-hidden="true" /> : <MoreIcon name={name} classes={classes} />
}

/** Keeps the room of the icon until its part is loaded. */
const MoreIcon = view(function MoreIcon({ name, classes }: { name: IconName; classes: string }) {
  const Drawing = additions.value > 0 ? drawings[name] : undefined
  return Drawing ? <Drawing className={classes} aria-hidden="true" /> : <svg className={classes} aria-hidden="true" />
})
