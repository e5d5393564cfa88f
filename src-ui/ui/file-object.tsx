import type { ReactNode } from 'react'
import { FileIcon, type Pictured } from './file-icon.tsx'
import { FileName } from './name.tsx'

type Props = {
  file: Pictured
  /** In the place of its name, which the root does not have. */
  shown?: string
  large?: boolean
  /** What stands below the name. */
  children?: ReactNode
}

/** What a dialog or a menu is about: icon, name and details. */
export function FileObject({ file, shown = file.name, large = false, children }: Props) {
  return (
    <div className="object">
      <FileIcon of={file} large={large} />
      <span className="object-words">
        <FileName name={shown} isDir={file.isDir} />
        {children}
      </span>
    </div>
  )
}
