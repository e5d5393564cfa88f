import type { Path } from '../base/paths.ts'
import { extensionOf, kindByName } from './kinds.ts'
import type { ShownEntry } from './resource.ts'

const formats = new Set(['.vtt', '.srt', '.ass', '.ssa'])
/** Maximum for one video: the same files may belong to all the videos of a folder, and each lists them. */
const mostOfOne = 50
/** Folders that are read for one video: names may differ in case. */
const mostFolders = 3
/** Dots by which a name may be longer than the video's: `video.pt-br.forced.srt` has two. */
const mostDots = 4

/**
 * Finds the subtitles of a video among the entries beside it: `video.srt` and `video.en.srt` belong to `video.mp4`. At most fifty
 * are found for one video.
 * @param beside the entries of the folder that the principal may see
 */
export function subtitlesAmong(beside: readonly ShownEntry[]): (video: ShownEntry) => Path[] {
  const byStem = new Map<string, Path[]>()
  for (const { name, path, isDir } of beside) {
    if (isDir || !formats.has(extensionOf(name).toLowerCase())) continue
    for (const stem of stemsOf(name)) addTo(byStem, stem, path)
  }
  if (byStem.size === 0) return () => []
  return (video) => (isVideo(video) ? (byStem.get(stemOf(video.name)) ?? []) : [])
}

/** The folders beside a video that may hold its subtitles. */
export function subtitleFolders<T extends ShownEntry>(beside: readonly T[]): T[] {
  const named = ({ name, isDir, unreachable }: T) => isDir && !unreachable && /^(?:subs?|subtitles)$/i.test(name)
  return beside.filter(named).slice(0, mostFolders)
}

export function isVideo({ name, isDir, unreachable }: ShownEntry): boolean {
  return !isDir && unreachable === undefined && kindByName(name) === 'video'
}

/** Whether a name is that of a video or of subtitles: the item of a video names its subtitles. */
export function concernsSubtitles(name: string): boolean {
  return kindByName(name) === 'video' || formats.has(extensionOf(name).toLowerCase())
}

function addTo(byStem: Map<string, Path[]>, stem: string, path: Path) {
  const paths = byStem.get(stem)
  if (!paths) byStem.set(stem, [path])
  else if (paths.length < mostOfOne) paths.push(path)
}

function stemOf(name: string) {
  return name.slice(0, name.length - extensionOf(name).length)
}

/** `video.en`, `video`. */
function stemsOf(name: string): string[] {
  const stems: string[] = []
  let stem = stemOf(name)
  for (let rest = name; stem !== rest && stem !== '' && stems.length <= mostDots; stem = stemOf(rest)) {
    stems.push(stem)
    rest = stem
  }
  return stems
}
