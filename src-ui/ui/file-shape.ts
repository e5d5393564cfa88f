/** The icon shapes of files. Their colour is set by `data-type` in CSS. */
export type FileShape = 'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'code' | 'sheet' | 'archive' | 'other'

/** The shape for a file. The ending of its name decides before the server's type, since `text` may be prose, code or a table. */
export function shapeOf(type: string, isDir: boolean, name: string): FileShape {
  if (isDir) return 'folder'
  if (type === 'image' || type === 'video' || type === 'audio' || type === 'pdf') return type
  for (const shape of ['archive', 'sheet', 'pdf', 'code'] as const) if (endings[shape]?.test(name)) return shape
  return type === 'text' || type === 'textImmutable' ? 'text' : 'other'
}

const endings: Partial<Record<FileShape, RegExp>> = {
  archive: /\.(zip|tar|tgz|gz|bz2|xz|zst|lz4|7z|rar|jar|deb|rpm|iso|dmg|cab)$/i,
  sheet: /\.(xlsx?|xlsm|ods|csv|tsv|numbers)$/i,
  pdf: /\.pdf$/i,
  code: /\.(c|h|cc|cpp|hpp|cs|css|scss|less|go|html?|java|js|jsx|mjs|cjs|json|kt|lua|php|pl|py|rb|rs|sh|bash|sql|swift|toml|ts|tsx|vue|xml|ya?ml|zig)$/i,
}
