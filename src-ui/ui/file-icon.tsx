import type { ReactNode } from 'react'
import { type FileShape, shapeOf } from './file-shape.ts'

/** What an icon stands for: a file, unless it is a folder. */
export type Pictured = Readonly<{
  name: string
  isDir?: boolean
  /** The server's type of the file: text, image, … */
  type?: string
  /** Whether it is a symbolic link, which a badge shows. */
  isSymlink?: boolean
}>

/** The icon of a file or folder, hidden from screen readers. */
export function FileIcon({ of, large = false }: { of: Pictured; large?: boolean }) {
  const { name, isDir = false, type = '', isSymlink } = of
  const shape = shapeOf(type, isDir, name)
  return (
    <svg className={large ? 'file-icon file-icon-large' : 'file-icon'} viewBox="0 0 24 24" data-type={shape} aria-hidden="true">
      {drawings[shape]}
      {isSymlink && linkBadge}
    </svg>
  )
}

const linkBadge = (
  <g className="file-link">
    <circle cx="6.5" cy="17.5" r="5.5" />
    <path d="m4.5 19.5 4-4M5.5 15.5h3v3" />
  </g>
)

const sheetOfPaper = (
  <>
    <path className="file-body" d="M14.5 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V7.5z" />
    <path d="M14.5 3v3A1.5 1.5 0 0 0 16 7.5h3" />
  </>
)
const frame = <rect className="file-body" x="3" y="4.5" width="18" height="15" rx="2.5" />

const drawings: Record<FileShape, ReactNode> = {
  folder: (
    <>
      <path
        className="file-body"
        d="M5 5.5h3.6a2 2 0 0 1 1.4.6l1.4 1.4H19a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7.5a2 2 0 0 1 2-2z"
      />
      <path d="M3 10.75h18" />
    </>
  ),
  image: (
    <>
      {frame}
      <circle className="file-solid" cx="8.25" cy="9.25" r="1.1" />
      <path d="m3.5 17 4.4-4.2a1.5 1.5 0 0 1 2.1 0l3 3 1.7-1.6a1.5 1.5 0 0 1 2.1 0l3.7 3.6" />
    </>
  ),
  video: (
    <>
      {frame}
      <path className="file-solid" d="M10.25 9.25v5.5l4.5-2.75z" />
    </>
  ),
  audio: (
    <>
      <circle className="file-body" cx="12" cy="12" r="9" />
      <circle className="file-solid" cx="9.5" cy="15" r="1.6" />
      <path d="M11.1 15V8.5l4-1v2.2l-4 1" />
    </>
  ),
  pdf: (
    <>
      {sheetOfPaper}
      <path d="M8.3 16.8c2.2-1 4-3.9 3.9-5.9 0-1-1.3-1-1.3 0 0 2.4 2.2 4.3 4.3 4.3 1.1 0 1.1-1.3 0-1.3-2.2 0-5.4 1-6.9 2.9z" />
    </>
  ),
  text: (
    <>
      {sheetOfPaper}
      <path d="M8.5 11.5h7M8.5 14.25h7M8.5 17h4" />
    </>
  ),
  code: (
    <>
      {sheetOfPaper}
      <path d="M10.25 11.5 8 14l2.25 2.5M13.75 11.5 16 14l-2.25 2.5" />
    </>
  ),
  sheet: (
    <>
      <rect className="file-body" x="3.5" y="4" width="17" height="16" rx="2.5" />
      <path d="M3.5 9h17M3.5 14.5h17M9.5 9v11" />
    </>
  ),
  archive: (
    <>
      <path className="file-body" d="M5 8.5V18a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8.5" />
      <rect className="file-body" x="3.5" y="4" width="17" height="4.5" rx="1.5" />
      <path d="M12 11v2M12 15.5V17" />
    </>
  ),
  other: sheetOfPaper,
}
