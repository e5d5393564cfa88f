// The encodings that a text can be read in, as people know them.
import { intlCode } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'

/** By the names that the server takes: how people write it, and a language or script that it is used for. */
const known: Readonly<Record<string, readonly [name: string, usedFor?: string]>> = {
  'utf-8': ['UTF-8'],
  'utf-16le': ['UTF-16 LE'],
  'utf-16be': ['UTF-16 BE'],
  'windows-1252': ['Windows-1252', 'Latn'],
  'windows-1250': ['Windows-1250', 'pl'],
  'windows-1251': ['Windows-1251', 'Cyrl'],
  'windows-1253': ['Windows-1253', 'Grek'],
  'windows-1254': ['Windows-1254', 'tr'],
  'windows-1255': ['Windows-1255', 'Hebr'],
  'windows-1256': ['Windows-1256', 'Arab'],
  'windows-1257': ['Windows-1257', 'lt'],
  'windows-1258': ['Windows-1258', 'vi'],
  'iso-8859-1': ['ISO-8859-1', 'Latn'],
  'iso-8859-2': ['ISO-8859-2', 'pl'],
  'iso-8859-5': ['ISO-8859-5', 'Cyrl'],
  'iso-8859-6': ['ISO-8859-6', 'Arab'],
  'iso-8859-7': ['ISO-8859-7', 'Grek'],
  'iso-8859-8': ['ISO-8859-8', 'Hebr'],
  'iso-8859-9': ['ISO-8859-9', 'tr'],
  'iso-8859-15': ['ISO-8859-15', 'Latn'],
  'koi8-r': ['KOI8-R', 'ru'],
  'koi8-u': ['KOI8-U', 'uk'],
  shift_jis: ['Shift_JIS', 'ja'],
  'euc-jp': ['EUC-JP', 'ja'],
  gb18030: ['GB18030 / GBK', 'Hans'],
  big5: ['Big5', 'Hant'],
  'euc-kr': ['EUC-KR', 'ko'],
}

export const encodings: readonly string[] = Object.keys(known)

/** `Shift_JIS` */
export const nameOfEncoding = (encoding: string): string => known[encoding]?.[0] ?? encoding.toUpperCase()

/** `Shift_JIS · Japanese`: the same in a list, with what it is used for. */
export function describeEncoding(encoding: string): string {
  const usedFor = known[encoding]?.[1]
  const name = nameOfEncoding(encoding)
  return usedFor === undefined ? name : `${name} · ${nameOfUse(usedFor)}`
}

/** A tag of four letters is that of a script. */
function nameOfUse(tag: string): string {
  const type = tag.length === 4 ? 'script' : 'language'
  try {
    return new Intl.DisplayNames([intlCode(locale.value.code)], { type }).of(tag) ?? tag
  } catch {
    return tag
  }
}
