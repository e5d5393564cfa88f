// The fonts of the browser tests: a browser that is given one of them sees no other, so that no test depends on what else is
// installed on a machine. They differ in width and height as much as fonts of text do.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { installPackage } from './apt.ts'

export type FontName = 'wide' | 'narrow'
export const fontNames: readonly FontName[] = ['wide', 'narrow']

/** Liberation Sans Narrow has a package of its own since Debian 13; before, it came with the others. */
const fonts = {
  wide: { family: 'DejaVu Sans', styles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'], packages: ['fonts-dejavu-core'] },
  narrow: {
    family: 'Liberation Sans Narrow',
    styles: ['LiberationSansNarrow-Regular.ttf', 'LiberationSansNarrow-Bold.ttf'],
    packages: ['fonts-liberation', 'fonts-liberation-sans-narrow'],
  },
} as const

type Places = Readonly<{
  /** Where fonts are looked for, at any depth. */
  folders: readonly string[]
  /** Where configurations and fontconfig's cache are written. */
  target: string
  /** Installs a package of the system. @returns whether it is installed now */
  install(name: string): boolean
}>

const systemPlaces: Places = {
  folders: ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.local/share/fonts'), join(homedir(), '.fonts')],
  target: resolve(import.meta.dirname, '../out/fonts'),
  install: installPackage,
}

/**
 * Makes a configuration of fontconfig with one font alone, which is then the default for every family.
 * @returns what FONTCONFIG_FILE has to name. @throws one sentence when the font is not there and cannot be installed
 */
export function fontConfiguration(name: FontName, places = systemPlaces): string {
  const files = findFont(name, places)
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `<dir>${escapeXml(dirname(files[0] ?? ''))}</dir>`,
    `<cachedir>${escapeXml(join(places.target, 'cache'))}</cachedir>`,
    // What is accepted by name is not rejected by the pattern.
    '<selectfont>',
    '<rejectfont><glob>*</glob></rejectfont>',
    ...files.map((file) => `<acceptfont><glob>${escapeXml(file)}</glob></acceptfont>`),
    '</selectfont>',
    '</fontconfig>',
  ]
  return writeOnce(join(places.target, `${name}.conf`), `${lines.join('\n')}\n`)
}

/** @returns the files of the font. @throws one sentence when it is not there and cannot be installed */
export function findFont(name: FontName, { folders, install }: Omit<Places, 'target'> = systemPlaces): readonly string[] {
  const { family, styles, packages } = fonts[name]
  const find = () => findInstalled(folders, styles)
  const found =
    find() ??
    packages
      .values()
      .map((one) => (install(one) ? find() : undefined))
      .find(Boolean)
  if (found) return found
  throw new Error(`Browser tests need the font ${family}: install the package ${packages.join(' or ')}.`)
}

/** In the first folder that holds all styles. */
function findInstalled(folders: readonly string[], styles: readonly string[]) {
  const holders = globSync(folders.map((folder) => join(folder, '**', styles[0] ?? ''))).map((file) => dirname(file))
  return holders
    .map((folder) => styles.map((style) => join(folder, style)))
    .find((files) => files.every((file) => existsSync(file)))
}

/** Replaces the file in one step, and only when it says something else: other test files are starting browsers with it. */
function writeOnce(file: string, text: string) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return file
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
  return file
}

function escapeXml(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
