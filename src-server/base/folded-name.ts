const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/** One form for all names that people or some file system treat as equal: full case folding, Unicode forms, and ignored characters. */
export function foldedName(name: string): string {
  // By way of capitals: 'ß' is 'SS' there, both kinds of small sigma are one, and so are the long and the short s.
  return name.normalize('NFD').replace(ignorable, '').toUpperCase().toLowerCase().toUpperCase().normalize('NFC')
}

/** One form for all names that people take for one: case, spaces, Unicode forms and invisible characters tell nobody apart. */
export function foldedUsername(username: string): string {
  return foldedName(username.normalize('NFKC'))
    .replaceAll(/\p{White_Space}+/gu, ' ')
    .trim()
}
