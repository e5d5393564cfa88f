// Subtitles in WebVTT (https://www.w3.org/TR/webvtt1/), the only format that browsers show, from SubRip and SubStation Alpha.
import { detect } from 'chardet'
import iconv from 'iconv-lite'
import { Failure } from '../base/failure.ts'
import { mapYielding } from '../base/yield-to-event-loop.ts'
import type { OpenFile } from '../disk/disk.ts'
import { extensionOf } from './kinds.ts'

/** Bytes of the largest file that is converted: the subtitles of a long film take a tenth of it. */
export const largestSubtitles = 4 * 1024 * 1024

/** Fields of a line; usual are ten. */
const mostFields = 64

/** Milliseconds from the beginning, and a text in WebVTT's markup. */
type Cue = Readonly<{ start: number; end: number; text: string }>
type Convert = (lines: readonly string[], signal: AbortSignal) => Promise<readonly Cue[]>

const converters: Readonly<Record<string, Convert | undefined>> = { '.srt': fromSubRip, '.ass': fromAlpha, '.ssa': fromAlpha }

/** Whether a name is that of subtitles, by its extension. */
export const isSubtitles = (name: string): boolean => {
  const extension = extensionOf(name).toLowerCase()
  return extension === '.vtt' || converters[extension] !== undefined
}

/** The subtitles of a file as WebVTT. @throws Failure('invalid' | 'tooLarge') */
export async function webVttOf(file: OpenFile, signal: AbortSignal): Promise<string> {
  const { name, size } = file.entry
  if (!isSubtitles(name)) throw new Failure('invalid', 'this is no format of subtitles')
  if (size > largestSubtitles) throw new Failure('tooLarge')
  const chunks: Uint8Array[] = []
  for await (const chunk of file.read({ end: largestSubtitles - 1, signal })) chunks.push(chunk)
  const text = decodeText(Buffer.concat(chunks)).replace(/^\ufeff/, '')
  const convert = converters[extensionOf(name).toLowerCase()]
  if (!convert) return text.startsWith('WEBVTT') ? text : `WEBVTT\n\n${text}`
  const cues = await convert(text.split(/\r\n|\r|\n/), signal)
  // Browsers expect the cues in the order of their beginning.
  const parts = await mapYielding(
    cues.toSorted((a, b) => a.start - b.start),
    partOf,
    signal,
  )
  return ['WEBVTT', ...parts].join('\n\n')
}

const partOf = ({ start, end, text }: Cue): string => `${timeOf(start)} --> ${timeOf(end)}\n${text}\n`

function timeOf(milliseconds: number): string {
  const [hours, minutes] = [Math.floor(milliseconds / 3_600_000), Math.floor(milliseconds / 60_000) % 60]
  const seconds = (milliseconds % 60_000) / 1000
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}:${seconds.toFixed(3).padStart(6, '0')}`
}

const subRipTimes = /^\s*(\d{1,3}:\d{1,2}:\d{1,2}[,.]\d{1,3})\s{0,9}-->\s{0,9}(\d{1,3}:\d{1,2}:\d{1,2}[,.]\d{1,3})/

/** Each cue has a line of times; its text ends with an empty line. */
async function fromSubRip(lines: readonly string[], signal: AbortSignal): Promise<readonly Cue[]> {
  const cues: Cue[] = []
  let times: readonly [start: number, end: number] | undefined
  let text: string[] = []
  const close = () => {
    if (times && text.length > 0) cues.push({ start: times[0], end: times[1], text: text.join('\n') })
    times = undefined
    text = []
  }
  await mapYielding(
    [...lines, ''],
    (line) => {
      const found = subRipTimes.exec(line)
      if (found || line.trim() === '') close()
      else if (times) text.push(marked(line.replace(/\{\\[^{}]*\}/g, '')))
      if (found) times = [millisecondsOf(found[1]), millisecondsOf(found[2])]
      return undefined
    },
    signal,
  )
  return cues
}

/** The lines `Dialogue:` hold fields; the line `Format:` names them. The last one is the text, which may hold commas. */
async function fromAlpha(lines: readonly string[], signal: AbortSignal): Promise<readonly Cue[]> {
  let fields: readonly string[] = []
  return mapYielding(
    lines,
    (line) => {
      if (line.startsWith('Format:'))
        fields = line
          .slice('Format:'.length)
          .split(',', mostFields)
          .map((name) => name.trim().toLowerCase())
      return line.startsWith('Dialogue:') ? dialogueOf(line.slice('Dialogue:'.length), fields) : undefined
    },
    signal,
  )
}

function dialogueOf(line: string, fields: readonly string[]): Cue | undefined {
  const values = splitFields(line, fields.length)
  const field = (name: string) => values[fields.indexOf(name)] ?? ''
  const [start, end] = [millisecondsOf(field('start').trim()), millisecondsOf(field('end').trim())]
  // Between {\p1} and {\p0} there are coordinates of a drawing.
  if (/\{[^{}]*\\p[1-9]/.test(field('text')) || Number.isNaN(start) || Number.isNaN(end)) return undefined
  const text = field('text').replace(/\{[^{}]*\}/g, '')
  const shown = text
    .split(/\\[Nn]/)
    .map((part) => marked(part.replaceAll('\\h', '\u00a0')).trim())
    .filter((part) => part !== '')
    .join('\n')
  return shown === '' ? undefined : { start, end, text: shown }
}

function splitFields(line: string, count: number): string[] {
  const values: string[] = []
  let rest = line
  while (values.length < count - 1) {
    const comma = rest.indexOf(',')
    if (comma < 0) break
    values.push(rest.slice(0, comma))
    rest = rest.slice(comma + 1)
  }
  return [...values, rest]
}

/** `1:02:03,450`; NaN for anything else. */
function millisecondsOf(time = ''): number {
  const [, hours, minutes, seconds, fraction = ''] = /^(\d{1,3}):(\d{1,2}):(\d{1,2})[,.](\d{1,3})$/.exec(time) ?? []
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return whole * 1000 + Number(fraction.padEnd(3, '0'))
}

/** Keeps bold, italic and underlined, removes other tags, and escapes what WebVTT would read as markup. */
function marked(line: string): string {
  return line
    .replace(/<(?!\/?[biu]>)\/?[a-z][^<>]*>/gi, '')
    .replaceAll('&', '&amp;')
    .replace(/<(?!\/?[biu]>)/gi, '&lt;')
    .replaceAll('-->', '--&gt;')
}

// Texts in other encodings than UTF-8.

/** Bytes that are enough to recognise an encoding. */
const sampleSize = 64 * 1024
/** What is assumed when no encoding is recognised: every byte has a meaning in it. */
const fallback = 'windows-1252'

/** The text of bytes, by their byte-order mark, as UTF-8, or in the encoding that they most likely have. */
function decodeText(bytes: Uint8Array): string {
  const marked = encodingOfMark(bytes)
  if (marked) return iconv.decode(bytes, marked)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const found = detect(bytes.subarray(0, sampleSize))
    return iconv.decode(bytes, found && found !== 'UTF-8' && iconv.encodingExists(found) ? found : fallback)
  }
}

function encodingOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}
