import type { ReactNode } from 'react'
import { FileIcon } from './file-icon.tsx'
import { FileName } from './name.tsx'

type Props = {
  file: Readonly<{ name: string; isDir: boolean; type?: string; isSymlink?: boolean }>
  /** In the place of its name, which the root does not have. */
  shown?: string
  large?: boolean
  /** What stands below the name. */
  children?: ReactNode
}

/** What a dialog or a menu is about: icon, name and details. */
export function FileObject({
  file: { name, isDir, type = '', isSymlink = false },
  shown = name,
  large = false,
  children,
}: Props) {
  return (
    <div className="object">
      <FileIcon type={type} isDir={isDir} name={name} isLink={isSymlink} large={large} />
      <span className="object-words">
        <FileName name={shown} isDir={isDir} />
        {children}
      </span>
    </div>
  )
}
