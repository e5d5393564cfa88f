const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/** One form for all names that people or some file system treat as equal: full case folding, Unicode forms, and ignored characters. */
export function foldedName(name: string): string {
  // By way of capitals: 'ß' is 'SS' there, both kinds of small sigma are one, and so are the long and the short s.
  return name.normalize('NFD').replace(ignorable, '').toUpperCase().toLowerCase().toUpperCase().normalize('NFC')
}
