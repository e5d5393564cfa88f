import type { CSSProperties } from 'react'
import { type Drag, dragSlice } from '../core/drag.ts'
import { nameOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { locale } from '../i18n/locale.ts'
import { isolate, t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'

/** Shown at the pointer while dragging: the number of entries, and what a drop would do or why it is refused. */
export const DragBadge = view(function DragBadge() {
  const dragState = useSlice(dragSlice)
  const { value } = dragState.current
  if (!value) return null
  const { drop, at, items } = value
  const isRefused = drop.kind === 'refused'
  return (
    <div className={isRefused ? 'drag-badge drag-badge-refused' : 'drag-badge'} style={placeBeside(at)} role="status">
      {isRefused ? <Icon name="ban" small /> : <b>{items.length}</b>}
      <span>{wordsOf(drop)}</span>
    </div>
  )
})

/** After the pointer in reading direction, so that it does not cover the drop target. */
function placeBeside({ x, y }: Drag['at']): CSSProperties {
  const behind = locale.value.dir === 'rtl' ? innerWidth - x : x
  return { insetInlineStart: behind + 14, insetBlockStart: y + 16 }
}

function wordsOf(drop: Drag['drop']): string {
  if (drop.kind === 'refused') return t(drop.reason)
  if (drop.kind === 'nothing') return t('drag.move')
  const folder = isolate(nameOf(drop.to) || t('sidebar.myFiles'))
  return t(drop.action === 'copy' ? 'drag.copyTo' : 'drag.moveTo', { folder })
}
