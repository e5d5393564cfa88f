import type { Path } from '../base/paths.ts'
import type { Entry } from '../disk/disk.ts'
import { extensionOf, kindByName } from './kinds.ts'

const formats = new Set(['.vtt', '.srt', '.ass', '.ssa'])

/**
 * Finds the subtitles of a film among what lies beside it: `film.srt` and `film.en.srt` belong to `film.mp4`.
 * @param beside what the visitor may see of the folder
 */
export function subtitlesAmong(beside: readonly Entry[]): (film: Entry) => Path[] {
  const byStem = new Map<string, Path[]>()
  for (const { name, path, isDir } of beside) {
    if (isDir || !formats.has(extensionOf(name).toLowerCase())) continue
    for (const stem of stemsOf(name)) byStem.set(stem, [...(byStem.get(stem) ?? []), path])
  }
  if (byStem.size === 0) return () => []
  return (film) => (isVideo(film) ? (byStem.get(stemOf(film.name)) ?? []) : [])
}

export function isVideo({ name, isDir, unreachable }: Entry): boolean {
  return !isDir && unreachable === undefined && kindByName(name) === 'video'
}

function stemOf(name: string) {
  return name.slice(0, name.length - extensionOf(name).length)
}

/** `film.en`, `film`. */
function stemsOf(name: string): string[] {
  const stem = stemOf(name)
  return stem === name || stem === '' ? [] : [stem, ...stemsOf(stem)]
}
