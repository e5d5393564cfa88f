// The house as a table: who may import from whom, and what belongs to one room alone.
// docs/architecture draws it; check-shape.ts holds the sources to it.

const below = {
  base: [],
  options: ['base'],
  access: ['base'],
  events: ['base'],
  disk: ['access', 'base'],
  archives: ['access', 'events', 'base'],
  previews: ['access', 'events', 'base'],
  state: ['access', 'events', 'base', 'disk/system.ts'],
  files: ['archives', 'previews', 'disk', 'access', 'events', 'base'],
  people: ['state', 'access', 'events', 'base'],
  settings: ['state', 'access', 'events', 'base'],
  shares: ['files', 'people', 'settings', 'state', 'disk', 'access', 'events', 'base'],
  shell: ['files', 'people', 'settings', 'state', 'disk', 'access', 'events', 'base'],
  listeners: ['shares', 'shell', 'files', 'people', 'settings', 'state', 'disk', 'access', 'events', 'base'],
  pages: ['settings', 'options', 'base'],
  // The outside reaches the disk through the doors alone: api/ may name neither disk/ nor state/ nor listeners/.
  api: ['shares', 'shell', 'files', 'people', 'settings', 'access', 'events', 'options', 'base'],
} as const

const uiBelow = {
  styles: [],
  i18n: ['locales'],
  api: [],
  ui: ['i18n', 'view.tsx'],
  state: ['api', 'i18n'],
  commands: ['state', 'api', 'i18n', 'ui'],
  features: ['commands', 'state', 'api', 'i18n', 'ui', 'view.tsx'],
  screens: ['features', 'commands', 'state', 'api', 'i18n', 'ui', 'view.tsx'],
} as const

/** A room → the folders and files that it may import, beside itself. One feature is one room. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...placed('src-server', below),
  ...placed('src-ui', uiBelow),
  'src-ui/view.tsx': [],
  'src-ui/layout.tsx': ['src-ui/'],
  'src-ui/app.tsx': ['src-ui/'],
  'src-ui/main.tsx': ['src-ui/'],
  'src-server/self-test.ts': ['src-server/'],
  'src-server/listening.ts': ['src-server/'],
  'src-server/app.ts': ['src-server/'],
  'src-server/parts.ts': ['src-server/'],
  'src-server/main.ts': ['src-server/'],
}

/** Rooms whose folders do not know each other. */
export const separate = ['src-ui/features'] as const

const fileRooms = ['disk', 'state', 'pages', 'previews', 'options'].map(inServer)
const webRooms = ['api', 'pages', 'app.ts'].map(inServer)

/** A package or a part of Node → the only rooms that may import it; with '/' at its end, everything below that name. */
export const belongsTo: Readonly<Record<string, readonly string[]>> = {
  fs: fileRooms,
  'fs/': fileRooms,
  'fs-extra': [],
  child_process: ['src-server/shell'],
  'node-pty': ['src-server/shell'],
  fastify: webRooms,
  '@fastify/': webRooms,
  sqlite: ['src-server/state'],
  lowdb: ['src-server/state'],
  'lowdb/': [],
  argon2: ['src-server/people', 'src-server/self-test.ts'],
  'fast-jwt': ['src-server/people'],
  re2js: ['src-server/access'],
  sharp: ['src-server/previews'],
  archiver: ['src-server/archives'],
  worker_threads: ['src-server/archives', 'src-server/previews'],
  module: [],
  vm: [],
  repl: [],
  cluster: [],
  inspector: [],
  'inspector/': [],
  wasi: [],
}

/** Ways round the table, as they look in the text. */
export const evasions: readonly (readonly [RegExp, string])[] = [
  [/\bgetBuiltinModule\b/, 'getBuiltinModule'],
  [/\bcreateRequire\b/, 'createRequire'],
  [/\brequire\s*\(/, 'require()'],
  [/\.\s*(binding|dlopen|_linkedBinding)\b/, 'process.binding or process.dlopen'],
  [/\bimport\s*\((?!\s*(?:'[^']*'|"[^"]*")\s*[,)])(?!\s*\))/, 'import() of a name that is worked out'],
  [/\beval\s*\(/, 'eval()'],
  [/\bnew\s+Function\b/, 'new Function'],
  [/\bas\s+(?:[\w<>'" |]+\s+as\s+)?Ticket\b/, 'as Ticket'],
  [/\bTicket\s*\.\s*prototype\b/, 'Ticket.prototype'],
]

/** What one room alone may do, as it looks in the text; the first pattern says to which files the sentence applies. */
export const reserved: readonly (readonly [files: RegExp, pattern: RegExp, sentence: string])[] = [
  [/^src-server\/(?!access\/)/, /\bnew\s+Ticket\b/, 'must not make a ticket: admit() does'],
  [
    /^src-ui\/(?!api\/)/,
    /\bfetch\s*\(|\bnew\s+(XMLHttpRequest|WebSocket|EventSource)\b/,
    'must not use the network: src-ui/api does',
  ],
  [
    /^src-ui\/(?!commands\/keyboard\.ts)/,
    /addEventListener\(\s*['"]key(down|press|up)['"]/,
    'must not listen for keys: commands/keyboard.ts does',
  ],
  [/^src-ui\//, /from\s+['"][./]*src-server\/(?!api\/)/, 'must not name the server beyond src-server/api'],
]

/** Lines: the end of what one file may hold. */
export const longest = 300

function placed(folder: string, rooms: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const names = Object.keys(rooms)
  const target = (name: string) =>
    name === 'locales' ? 'locales/' : names.includes(name) ? `${folder}/${name}/` : `${folder}/${name}`
  return Object.fromEntries(Object.entries(rooms).map(([room, targets]) => [`${folder}/${room}`, targets.map(target)]))
}

function inServer(room: string) {
  return `src-server/${room}`
}
