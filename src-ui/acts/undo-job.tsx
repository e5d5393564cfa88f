import { useEffect } from 'react'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { flipLabel } from './act-words.ts'
import { actsSlice } from './acts.ts'
import { flipAct } from './flip-act.ts'

/** Undoes what a job has done before it was cancelled; nothing when it has done nothing, or that cannot be undone. */
export const UndoJob = view(function UndoJob({ id }: { id: string }) {
  const workspace = useWorkspace()
  const acts = useSlice(actsSlice)
  useEffect(() => void acts.refreshQuietly(), [acts])
  const act = acts.list.value.find(({ key }) => key === id)
  if (!act?.mayUndo) return null
  const undo = () => void flipAct(workspace, act, { direction: 'undo' })
  return <IconButton icon="arrow-back-up" small smallIcon label={flipLabel(act, 'undo')} onClick={undo} />
})
