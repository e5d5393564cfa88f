import { createContext, useContext } from 'react'
import type { Slice, Workspace } from './workspace.ts'

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

/** The workspace of a component. @throws Error outside a workspace */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('this component needs a workspace around it')
  return workspace
}

export const useSlice = <T extends object>(wanted: Slice<T>): T => useWorkspace().use(wanted)
