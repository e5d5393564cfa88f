// The layers as a table: which module may import which, for types as well as for values, and what is reserved for one module.
// docs/architecture.md describes them, and check-shape.ts checks the sources.

const serverModules = {
  base: [],
  options: ['base'],
  contract: [],
  access: ['contract', 'base'],
  events: ['contract', 'base'],
  // The activity log: a log of the server's own.
  activity: ['state/log.ts', 'state/read-log.ts', 'base'],
  // Databases and exports of File Browser, and what of them comes into a state. It knows no disk: what lies below the root it is told.
  import: ['state', 'access', 'events', 'contract', 'options', 'base'],
  disk: ['access', 'events', 'contract', 'base'],
  archives: ['access', 'events', 'contract', 'base'],
  previews: ['access', 'events', 'contract', 'base'],
  search: ['access', 'events', 'contract', 'base'],
  // The state is a file too, and uses the same system calls, which the tests replace.
  state: ['access', 'events', 'contract', 'base', 'disk/system.ts'],
  // What is in the trash of all persons, how long it is kept, and how much of a disk it may take.
  trash: ['disk', 'state', 'access', 'events', 'contract', 'base'],
  files: ['archives', 'previews', 'search', 'trash', 'disk', 'state', 'access', 'events', 'contract', 'base'],
  users: ['state', 'access', 'events', 'contract', 'base'],
  settings: ['state', 'access', 'events', 'contract', 'base'],
  live: ['files', 'users', 'disk', 'access', 'events', 'contract', 'base'],
  shares: ['files', 'users', 'settings', 'state', 'disk', 'access', 'events', 'contract', 'base'],
  shell: ['files', 'users', 'settings', 'state', 'disk', 'access', 'events', 'contract', 'base'],
  // Work of the server that goes on without a page. It changes files as `files` does, and knows no disk.
  jobs: ['files', 'users', 'state', 'access', 'events', 'contract', 'base'],
  // Uploads that may break off and go on later. They write files as `files` does, and know no disk.
  uploads: ['files', 'users', 'state', 'access', 'events', 'contract', 'base'],
  // Links that take files in, and those who send them.
  requests: ['uploads', 'shares', 'files', 'users', 'settings', 'state', 'disk', 'access', 'events', 'contract', 'base'],
  // What a person did, and taking it back: it changes files as \`files\` does, and knows no disk.
  history: ['files', 'users', 'state', 'access', 'events', 'contract', 'base'],
  listeners: [
    'activity',
    'requests',
    'shares',
    'shell',
    'files',
    'trash',
    'users',
    'settings',
    'state',
    'disk',
    'access',
    'events',
    'contract',
    'base',
  ],
  pages: ['settings', 'options', 'contract', 'base'],
  // What the command line of the machine may ask for, and the socket by which a running server is asked. The fields of users and settings
  // are checked as those of calls are.
  control: [
    ...[
      'api/user-fields.ts',
      'api/settings-fields.ts',
      'shares',
      'users',
      'settings',
      'state',
      'access',
      'events',
      'contract',
      'base',
    ],
  ],
  // Commands that somebody types: what they ask for, and what they print.
  cli: ['control', 'import/plan-notes.ts', 'options', 'contract', 'base'],
  // Requests reach the disk only through the services: api/ must import neither disk/ nor state/ nor listeners/.
  api: [
    'activity',
    'history',
    'jobs',
    'live',
    'requests',
    'shares',
    'shell',
    'uploads',
    'files',
    'users',
    'settings',
    'access',
    'events',
    'contract',
    'options',
    'base',
  ],
} as const

// The modules that all features use, and that import no feature.
const below = ['core', 'api', 'i18n', 'ui'] as const

const uiModules = {
  styles: [],
  i18n: ['locales'],
  api: [],
  ui: ['i18n'],
  core: ['api', 'i18n', 'ui'],
  // The features that each feature may import. There must be no cycles.
  session: below,
  // What all uploads that may break off share.
  sending: below,
  // The page of a public link, with an entry of its own.
  'share-page': below,
  // The page of a link that takes files in, with an entry of its own. Both are locked in the same way.
  'request-page': ['share-page', 'sending', ...below],
  palette: below,
  search: ['listing', ...below],
  jobs: below,
  // What the person did last, and taking it back.
  acts: ['jobs', ...below],
  operations: ['acts', 'jobs', ...below],
  uploads: ['sending', 'operations', 'acts', 'jobs', ...below],
  preview: below,
  editor: ['preview', ...below],
  listing: ['operations', 'uploads', 'preview', 'editor', ...below],
  chrome: below,
  // A user's form has the folder picker, and the settings show the form and what the listing remembers.
  users: ['operations', ...below],
  // The dialog about the links of an entry, and the page about all links.
  shares: ['users', ...below],
  // The page about what was done on the server.
  activity: ['users', ...below],
  // The page of the trash, which has the rows of the listing.
  trash: ['operations', 'acts', 'listing', ...below],
  settings: ['activity', 'trash', 'users', 'shares', 'operations', 'listing', ...below],
  // The panel in which a person runs commands.
  shell: below,
} as const

/** A module → the folders and files that it may import in addition to itself. Each feature is one module. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  // Page and server choose the same language, so that the words which the page preloads are those that its script wants.
  'src-ui/core/language.ts': ['src-ui/core/', 'src-ui/api/', 'src-ui/i18n/', 'src-server/contract/choose-locale.ts'],
  // What the accounts of the server may choose is what the form offers.
  'src-ui/users/languages.ts': ['src-ui/i18n/', 'src-server/contract/languages.ts'],
  // The form says of an expression while it is typed what the log says of it at a start.
  'src-ui/users/rules-editor.tsx': ['src-ui/users/', 'src-ui/i18n/', 'src-ui/ui/', 'src-server/contract/blocks-below.ts'],
  ...belowFolder('src-server', serverModules),
  ...belowFolder('src-ui', uiModules),
  'src-ui/ui/view.tsx': [],
  'src-ui/chrome/layout.tsx': ['src-ui/'],
  'src-ui/app.tsx': ['src-ui/'],
  'src-ui/create-workspace.ts': ['src-ui/'],
  'src-ui/features.ts': ['src-ui/'],
  'src-ui/lazy-overlays.ts': ['src-ui/'],
  'src-ui/overlays.tsx': ['src-ui/'],
  'src-ui/main.tsx': ['src-ui/'],
  'src-ui/share.tsx': ['src-ui/'],
  'src-ui/request.tsx': ['src-ui/'],
  'src-server/self-test.ts': ['src-server/'],
  'src-server/ask-health.ts': ['src-server/'],
  'src-server/reset-password.ts': ['src-server/'],
  'src-server/import-database.ts': ['src-server/'],
  'src-server/file-browser-start.ts': ['src-server/'],
  'src-server/log-file.ts': ['src-server/'],
  'src-server/imported-root.ts': ['src-server/'],
  'src-server/run-command.ts': ['src-server/'],
  'src-server/stopped-state.ts': ['src-server/'],
  'src-server/control-services.ts': ['src-server/'],
  'src-server/listen-for-operator.ts': ['src-server/'],
  'src-server/listening.ts': ['src-server/'],
  'src-server/app.ts': ['src-server/'],
  'src-server/services.ts': ['src-server/'],
  'src-server/access-services.ts': ['src-server/'],
  'src-server/share-services.ts': ['src-server/'],
  'src-server/activity-services.ts': ['src-server/'],
  'src-server/job-services.ts': ['src-server/'],
  'src-server/upload-services.ts': ['src-server/'],
  'src-server/request-services.ts': ['src-server/'],
  'src-server/trash-services.ts': ['src-server/'],
  'src-server/history-services.ts': ['src-server/'],
  'src-server/serve.ts': ['src-server/'],
  'src-server/main.ts': ['src-server/'],
  'src-server/launch.ts': ['src-server/base/'],
}

/** Importing module → the module whose types it may import. */
export const mayImportTypes: readonly (readonly [from: string, to: string])[] = [['src-ui', 'src-server/contract']]

const fileModules = [
  'disk',
  'state',
  'pages',
  'previews',
  'options',
  'archives/bzip2-wasm.ts',
  'import/source-file.ts',
  'import/links-out.ts',
  'shell/find-program.ts',
  'shell/sandbox.ts',
  'reset-password.ts',
  'run-command.ts',
  'stopped-state.ts',
  'control/control-folder.ts',
  'cli/console.ts',
  'launch.ts',
].map(inServer)
const webModules = [
  ...['api', 'pages', 'app.ts', 'listening.ts'],
  ...[
    'services.ts',
    'access-services.ts',
    'share-services.ts',
    'activity-services.ts',
    'job-services.ts',
    'trash-services.ts',
    'upload-services.ts',
    'request-services.ts',
  ],
  'history-services.ts',
].map(inServer)

/** A package or a module of Node → the only modules that may import it. A name with a trailing '/' includes everything below it. */
export const belongsTo: Readonly<Record<string, readonly string[]>> = {
  fs: fileModules,
  'fs/': fileModules,
  'fs-extra': [],
  child_process: ['src-server/shell', 'src-server/previews'],
  'node-pty': ['src-server/shell'],
  '@xterm/': ['src-ui/shell'],
  fastify: webModules,
  '@fastify/': webModules,
  sqlite: ['src-server/state'],
  lowdb: ['src-server/state'],
  'lowdb/': [],
  argon2: ['src-server/users', 'src-server/self-test.ts'],
  bcryptjs: ['src-server/users/bcrypt-thread.ts'],
  'fast-jwt': ['src-server/users'],
  re2js: ['src-server/access'],
  sharp: ['src-server/previews'],
  exifr: ['src-server/previews'],
  archiver: ['src-server/archives'],
  yauzl: ['src-server/archives'],
  yaml: ['src-server/import'],
  worker_threads: [
    'src-server/base/threads.ts',
    'src-server/base/worker-pool.ts',
    'src-server/disk/read-thread.ts',
    'src-server/disk/sequence-thread.ts',
    'src-server/disk/sequence-threads.ts',
    'src-server/archives/pack-thread.ts',
    'src-server/archives/unpack-thread.ts',
    'src-server/archives/unpack-in-thread.ts',
    'src-server/files/hash-thread.ts',
    'src-server/users/bcrypt-thread.ts',
    'src-server/files/checksum.ts',
  ],
  'bzip2-wasm/': ['src-server/archives'],
  '@napi-rs/lzma': ['src-server/archives'],
  'lz4-napi': ['src-server/archives'],
  module: [],
  // Runs the code of the server itself.
  vm: ['src-server/launch.ts'],
  repl: [],
  cluster: [],
  inspector: [],
  'inspector/': [],
  wasi: [],
}

/** Patterns of code that evades the check of imports. */
export const evasions: readonly (readonly [RegExp, string])[] = [
  [/\bgetBuiltinModule\b/, 'getBuiltinModule'],
  [/\bcreateRequire\b/, 'createRequire'],
  [/\brequire\s*\(/, 'require()'],
  [/\.\s*(binding|dlopen|_linkedBinding)\b/, 'process.binding or process.dlopen'],
  [/\bimport\s*\((?!\s*(?:'[^']*'|"[^"]*")\s*[,)])(?!\s*\))/, 'import() of a computed name'],
  [/\beval\s*\(/, 'eval()'],
  [/\bnew\s+Function\b/, 'new Function'],
  [/\bas\s+(?:[\w<>'" |]+\s+as\s+)?Capability\b/, 'as Capability'],
  [/\bCapability\s*\.\s*prototype\b/, 'Capability.prototype'],
]

/** Patterns of code that only one module may contain; the first pattern selects the files that must not. */
export const reserved: readonly (readonly [files: RegExp, pattern: RegExp, sentence: string])[] = [
  [
    /^src-server\/(?!state\/)/,
    /\bstate\s*\.\s*(data|change)\b|\bdata\b[^{}]*\}\s*(:\s*(State|Records|Views)\b|=\s*[\w.]*\bstate\b)|<(State|Records|Views),[^>]*'data'/,
    'must not read the records of the state: its methods do',
  ],
  [/^src-server\/(?!access\/)/, /\bnew\s+Capability\b/, 'must not make a capability: authorize() does'],
  [
    /^src-ui\/(?!api\/)/,
    /\bfetch\s*\(|\bnew\s+(XMLHttpRequest|WebSocket|EventSource)\b/,
    'must not use the network: src-ui/api does',
  ],
  [
    /^src-ui\/(?!core\/keyboard\.ts)/,
    /addEventListener\(\s*['"]key(down|press|up)['"]/,
    'must not listen for keys: core/keyboard.ts does',
  ],
  [/^src-ui\//, /from\s+['"][./]*src-server\/(?!contract\/)/, 'must not name the server beyond src-server/contract'],
]

/** The maximum number of lines of a file. */
export const longest = 400

/** A file with fewer lines than `lines` that one other file imports belongs into that one, in these folders. */
export const fragments = {
  lines: 40,
  folders: ['src-server/archives/', 'src-server/disk/', 'src-server/files/', 'src-server/previews/'],
  /** File → why it is one of its own. */
  reasons: {
    'src-server/archives/bzip2-wasm.ts': 'the build puts other code in its place',
    'src-server/files/hash-thread.ts': 'the code of a thread, which is bundled on its own',
  } as Readonly<Record<string, string>>,
} as const

function belowFolder(folder: string, modules: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const names = Object.keys(modules)
  const target = (name: string) =>
    name === 'locales' ? 'locales/' : names.includes(name) ? `${folder}/${name}/` : `${folder}/${name}`
  return Object.fromEntries(Object.entries(modules).map(([module, targets]) => [`${folder}/${module}`, targets.map(target)]))
}

function inServer(module: string) {
  return `src-server/${module}`
}
