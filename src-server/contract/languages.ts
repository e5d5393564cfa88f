// The languages of the interface. A new one is its file in locales/ and a line here.

/** The code of a file in locales/, and the language's own name, in the order of these names. */
export const languages = [
  ['de', 'Deutsch'],
  ['en', 'English'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['is', 'Íslenska'],
  ['it', 'Italiano'],
  ['nl-be', 'Nederlands (België)'],
  ['pl', 'Polski'],
  ['pt', 'Português'],
  ['pt-br', 'Português (Brasil)'],
  ['ro', 'Română'],
  ['sv-se', 'Svenska'],
  ['ru', 'Русский'],
  ['ar', 'العربية'],
  ['ja', '日本語'],
  ['ko', '한국어'],
  ['zh-cn', '简体中文'],
  ['zh-tw', '繁體中文'],
] as const satisfies readonly (readonly [code: string, name: string])[]
