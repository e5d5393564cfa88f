// The fonts of the browser tests. A browser finds only one of them, so that no test depends on the fonts of the machine. They
// differ in width and height as much as usual text fonts do.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { installPackage } from './apt.ts'

export type FontName = 'wide' | 'narrow'
export const fontNames: readonly FontName[] = ['wide', 'narrow']

/** Fonts that a browser finds together: `world` is the wide one, and one for the languages that it does not write. */
const together = { wide: ['wide'], narrow: ['narrow'], world: ['wide', 'chinese'] } as const
export type FontSet = keyof typeof together

/** Liberation Sans Narrow is a separate package since Debian 13; before, it was part of fonts-liberation. */
const fonts = {
  wide: { family: 'DejaVu Sans', styles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'], packages: ['fonts-dejavu-core'] },
  narrow: {
    family: 'Liberation Sans Narrow',
    styles: ['LiberationSansNarrow-Regular.ttf', 'LiberationSansNarrow-Bold.ttf'],
    packages: ['fonts-liberation', 'fonts-liberation-sans-narrow'],
  },
  chinese: { family: 'WenQuanYi Micro Hei', styles: ['wqy-microhei.ttc'], packages: ['fonts-wqy-microhei'] },
} as const

type FontPaths = Readonly<{
  /** Folders that are searched for fonts, at any depth. */
  folders: readonly string[]
  /** The folder for configurations and fontconfig's cache. */
  target: string
  /** Installs a Debian package. @returns whether it is installed now */
  install(name: string): boolean
}>

const systemPaths: FontPaths = {
  folders: ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.local/share/fonts'), join(homedir(), '.fonts')],
  target: resolve(import.meta.dirname, '../out/fonts'),
  install: installPackage,
}

/**
 * Makes a configuration of fontconfig with only these fonts. The first is used for every family.
 * @returns the path for FONTCONFIG_FILE
 * @throws with one sentence when the font is missing and cannot be installed
 */
export function fontConfiguration(name: FontSet, paths = systemPaths): string {
  const files = together[name].flatMap((one) => findFont(one, paths))
  const folders = new Set(files.map((file) => dirname(file)))
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...[...folders].map((folder) => `<dir>${escapeXml(folder)}</dir>`),
    `<cachedir>${escapeXml(join(paths.target, 'cache'))}</cachedir>`,
    // Accepting a file by its path has precedence over rejecting it by the pattern.
    '<selectfont>',
    '<rejectfont><glob>*</glob></rejectfont>',
    ...files.map((file) => `<acceptfont><glob>${escapeXml(file)}</glob></acceptfont>`),
    '</selectfont>',
    `<match><edit name="family" mode="prepend_first" binding="strong"><string>${fonts[together[name][0]].family}</string></edit></match>`,
    '</fontconfig>',
  ]
  return writeOnce(join(paths.target, `${name}.conf`), `${lines.join('\n')}\n`)
}

/** @returns the files of the font @throws with one sentence when it is missing and cannot be installed */
export function findFont(
  name: keyof typeof fonts,
  { folders, install }: Omit<FontPaths, 'target'> = systemPaths,
): readonly string[] {
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

/** Finds the first folder that contains all styles. */
function findInstalled(folders: readonly string[], styles: readonly string[]) {
  const holders = globSync(folders.map((folder) => join(folder, '**', styles[0] ?? ''))).map((file) => dirname(file))
  return holders
    .map((folder) => styles.map((style) => join(folder, style)))
    .find((files) => files.every((file) => existsSync(file)))
}

/** Replaces the file atomically, and only when its content changes: other tests may be starting browsers with it. */
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
