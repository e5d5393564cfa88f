// Where File Browser looks for its database and its options by itself.
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What of File Browser stands in the usual places. */
export type FoundPlaces = Readonly<{
  /** Paths of databases. */
  databases: readonly string[]
  /** Paths of files with its options. */
  configs: readonly string[]
}>

type Places = Readonly<{
  /** The working folder. */
  folder: string
  home: string | undefined
  /** Databases that options name. */
  named: readonly string[]
  /** The top folder; tests replace it. */
  top?: string
}>

/** Bytes of its options that are read. */
const longestConfig = 64 * 1024

/** Looks at 16 names, and reads options that are there for the database that they name. */
export function findPlaces({ folder, home, named, top = '/' }: Places): FoundPlaces {
  const folders = [folder, ...(home === undefined || home === '' ? [] : [home]), join(top, 'etc/filebrowser')]
  const usual = folders.flatMap((place) => ['json', 'toml', 'yaml', 'yml'].map((kind) => join(place, `.filebrowser.${kind}`)))
  const configs = once([join(top, 'config/settings.json'), ...usual].filter(isFile))
  const fromConfigs = configs.flatMap((config) => databaseIn(config).map((database) => resolve(folder, database)))
  const images = ['database/filebrowser.db', 'database.db'].map((place) => join(top, place))
  const names = [...named, ...fromConfigs, join(folder, 'filebrowser.db'), ...images]
  return { databases: once(names.filter(isFile)), configs }
}

const once = (paths: readonly string[]) => [...new Set(paths)]

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    return false
  }
}

/** The path after `database`, in JSON, TOML and YAML: of them all it is one line, and what else is there does not matter. */
function databaseIn(config: string): string[] {
  const [, quoted, plain] = /(?:^|[\s{,])"?database"?\s*[:=]\s*(?:["']([^"'\n]+)["']|([^\s"',#}]+))/i.exec(textOf(config)) ?? []
  return [quoted ?? plain].filter((path) => path !== undefined)
}

function textOf(file: string): string {
  try {
    return readFileSync(file).subarray(0, longestConfig).toString()
  } catch {
    return ''
  }
}
