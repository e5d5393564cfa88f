/** Kinds of files that a link may take in, by their endings. */
export const endingKinds = {
  pictures:
    'jpg jpeg png gif webp heic heif avif tif tiff bmp svg dng cr2 cr3 nef arw orf raf mp4 mov m4v mkv webm avi mpg mpeg 3gp mts'.split(
      ' ',
    ),
  documents: 'pdf doc docx odt rtf txt md xls xlsx ods csv ppt pptx odp epub pages numbers key'.split(' '),
} as const satisfies Record<string, readonly string[]>

export type EndingKind = keyof typeof endingKinds

/** The kind that has exactly these endings. */
export function kindOf(endings: readonly string[]): EndingKind | undefined {
  const names = Object.keys(endingKinds) as EndingKind[]
  return names.find((name) => {
    const all = new Set<string>(endingKinds[name])
    return all.size === endings.length && endings.every((ending) => all.has(ending))
  })
}
