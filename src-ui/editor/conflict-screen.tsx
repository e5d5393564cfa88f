import type { ReactNode } from 'react'
import { view } from '../ui/view.tsx'
import type { FileText } from './text-calls.ts'
import type { TextDocument } from './text-document.ts'

type Props = { document: TextDocument; theirs: FileText; breadcrumbs: ReactNode }

/** Both versions of a text that was changed on the server meanwhile, and the choice between them. */
export const ConflictScreen = view(function ConflictScreen({ breadcrumbs }: Props) {
  return <section className="editor">{breadcrumbs}</section>
})
