/** Names that are valid on Linux and have broken some server. */
export const nastyNames = [
  '😀.bin',
  'a%2Fb',
  'a%2fb%',
  '..%5c',
  '..\\..\\windows.ini',
  '%2e%2e',
  '%00',
  '...',
  '. .',
  ' leading and trailing ',
  'new\nline',
  'carriage\rreturn',
  'tab\tbell\u0007',
  '\u001b[31mred',
  'n'.repeat(255),
  `${'é'.repeat(127)}n`,
  'caf\u00e9',
  'cafe\u0301',
  '-rf',
  '--help',
  '~',
  '$HOME `id` $(id)',
  '"quoted" and \'quoted\'',
  '<img src=x onerror=alert(1)>',
  '#fragment?query=1&x=y',
  'a+b c;d=e,f',
  'CON',
  'aux.txt',
  'file.',
  'c:alternate:stream',
  '*.*',
  '\u202egnp.exe',
  '\u200b',
  '\ufffd',
  '__proto__',
  'constructor',
  'ＦＵＬＬ',
  'ﬁ-ligature',
  'İstanbul',
] as const

/** A name as it is in a zip archive, when it stands alone in its folder. */
export const nameInZip = (name: string): string => name.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_')

/** Names, as bytes, that are not UTF-8: a Latin-1 é, a lone continuation byte, a surrogate, and a truncated sequence. */
export const brokenNames = [
  Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  Buffer.from([0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0x61, 0xf0, 0x9f]),
] as const
