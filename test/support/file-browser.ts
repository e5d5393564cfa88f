// Databases of File Browser with records of a test.
import { type BoltContent, boltOf } from './bolt-writer.ts'

const permissions = {
  admin: false,
  execute: false,
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
}

/** A user as 2.63 stores one. */
export const storedUser = (fields: object = {}) => ({
  ...{ id: 2, username: 'bob', password: `$2a$04$${'a'.repeat(53)}`, scope: '/bob', locale: 'en', lockPassword: false },
  ...{ viewMode: 'list', singleClick: false, redirectAfterCopyMove: false, perm: permissions, commands: [] },
  ...{ sorting: { by: 'name', asc: false }, rules: [], hideDotfiles: false, dateFormat: false, aceEditorTheme: '' },
  ...fields,
})

export const storedAdmin = (fields: object = {}) =>
  storedUser({ id: 1, username: 'admin', scope: '/', perm: { ...permissions, admin: true, execute: true }, ...fields })

export const storedSettings = (fields: object = {}) => ({
  ...{ key: 'AAAA', signup: false, createUserDir: false, authMethod: 'json', rules: [], shell: [], commands: {} },
  defaults: { scope: '.', locale: 'en', viewMode: 'mosaic', sorting: { by: '', asc: false }, perm: permissions, commands: [] },
  branding: { name: '', disableExternal: false, disableUsedPercentage: false, files: '', theme: '', color: '' },
  ...fields,
})

export const storedServer = (fields: object = {}) => ({
  ...{ root: '/srv', baseURL: '', socket: '', tlsKey: '', tlsCert: '', port: '8080', address: '127.0.0.1', log: 'stdout' },
  ...{ enableThumbnails: true, resizePreview: true, enableExec: false, tokenExpirationTime: '', followExternalSymlinks: false },
  ...fields,
})

export type StoredRecords = Readonly<{
  users?: readonly object[]
  links?: readonly object[]
  settings?: object
  server?: object
  auther?: object
  lastId?: number
}>

/** The content of a database, as storm lays it out. */
export function databaseContent(records: StoredRecords): BoltContent {
  const { users = [storedAdmin()], links = [], lastId = 10 } = records
  const { settings = storedSettings(), server = storedServer(), auther = { recaptcha: null } } = records
  const metadata = (counter: BoltContent = []) => ['__storm_metadata', { bucket: [['codec', 'json'], ...counter] }] as const
  const config = Object.entries({ settings, server, auther, version: 2 }).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  )
  return [
    ['__storm_db', { bucket: [['version', '"2.0.0"'], metadata()] }],
    ['config', { bucket: [...config, metadata()] }],
    [
      'User',
      { bucket: [...users.map(userEntry), metadata([['IDcounter', idKey(lastId)]]), ['__storm_index_ID', { bucket: [] }]] },
    ],
    ['Link', { bucket: [...links.map(linkEntry), metadata()] }],
  ]
}

export const databaseOf = (records: StoredRecords = {}, options: Parameters<typeof boltOf>[1] = {}): Buffer =>
  boltOf(databaseContent(records), options)

const userEntry = (user: object) => [idKey((user as { id: number }).id), JSON.stringify(user)] as const
const linkEntry = (link: object) => [(link as { hash: string }).hash, JSON.stringify(link)] as const

function idKey(id: number): Buffer {
  const key = Buffer.alloc(8)
  key.writeBigUInt64BE(BigInt(id))
  return key
}
