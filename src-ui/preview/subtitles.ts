import { intlCode } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'

/** A file of subtitles: its path, and the language that its name gives. */
export type SubtitleTrack = { path: string; language: string | undefined; label: string }

/** The tracks of a video, labelled by language where the names tell it: `video.pt-br.srt`, `video.en.forced.srt`. */
export function tracksOf(videoName: string, paths: readonly string[], code = locale.value.code): SubtitleTrack[] {
  const stem = videoName.replace(/\.[^.]*$/, '')
  const named = paths.map((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const [first = '', ...rest] = name
      .slice(stem.length + 1)
      .split('.')
      .slice(0, -1)
    const language = languageOf(first)
    const label = language ? [nameOfLanguage(language, code), ...rest].join(' · ') : name
    return { path, language, label }
  })
  // Two formats of one language look alike: their names tell them apart.
  const times = (label: string) => named.filter((one) => one.label === label).length
  return named.map((track) => (times(track.label) > 1 ? { ...track, label: `${track.label} · ${endingOf(track.path)}` } : track))
}

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function languageOf(text: string): string | undefined {
  const code = text.replaceAll('_', '-')
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/i.test(code) ? code : undefined
}

/** In the language of the page, or, where the browser does not know that one, in the language itself: `Deutsch`. */
function nameOfLanguage(language: string, code: string): string {
  try {
    return new Intl.DisplayNames([intlCode(code), language], { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}
