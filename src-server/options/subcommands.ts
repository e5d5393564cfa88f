// The commands besides the server. Help, completions, and what a command line is read as are derived from this table.

/** A flag of a command. Without `value` it is a switch. */
export type SubcommandFlag = Readonly<{ name: string; value?: string; help: string }>

export type SubcommandRow = Readonly<{
  /** One word or two. */
  name: string
  /** The placeholders of what follows, for help. */
  args?: string
  /** The fewest and the most that may follow; none, unless given. */
  count?: readonly [least: number, most: number]
  /** What follows. An id is random and may begin with `-`. */
  takes?: 'id'
  flags?: readonly SubcommandFlag[]
  /** One line. */
  help: string
  /** What File Browser calls it: understood, with a line that names ours. */
  also?: readonly string[]
  /** What it reads: `state` also the options of the server and `--json`; `server` those options; `own` has a reader of its own. */
  reads: 'nothing' | 'server' | 'state' | 'own'
}>

const onUser = { name: 'user', value: 'NAME', help: 'of this user' } as const

const rulesOf = { name: 'user', value: 'NAME', help: 'the rules of this user; without it, the global ones' } as const

const passwordFile = {
  name: 'password-file',
  value: 'FILE',
  help: 'read the password from a file, or with - from the standard input; without it, it is asked for',
} as const

const userFlags = [
  { name: 'scope', value: '/PATH', help: 'the folder below the served one that the user has' },
  {
    name: 'perm',
    value: 'LIST',
    help: 'admin,execute,create,rename,modify,delete,share,download: these alone; or +share,-delete: besides those there are',
  },
  {
    name: 'rules',
    value: 'FILE',
    help: 'a JSON file with all rules of the user, as users list --json shows them; - for the standard input',
  },
  { name: 'commands', value: 'LIST', help: 'the commands that the user may run in the shell, separated by commas' },
  { name: 'locale', value: 'CODE', help: "the language, such as de; '' follows the browser" },
  { name: 'view', value: 'list|mosaic', help: 'how listings are shown' },
  { name: 'sort', value: 'name|size|modified', help: 'the order of listings; with - before it, turned round' },
  { name: 'lock-password', value: 'yes|no', help: 'whether the user cannot change the password' },
] as const

const table = [
  { name: 'users list', args: '[NAME]', count: [0, 1], help: 'show the users', also: ['users ls', 'users find'], reads: 'state' },
  {
    name: 'users add',
    args: 'NAME',
    count: [1, 1],
    flags: [passwordFile, ...userFlags],
    help: 'add a user, with the defaults of the settings',
    reads: 'state',
  },
  {
    name: 'users update',
    args: 'NAME',
    count: [1, 1],
    flags: userFlags,
    help: 'change what a user has and may do',
    reads: 'state',
  },
  { name: 'users rename', args: 'NAME NEW', count: [2, 2], help: 'give a user another name', reads: 'state' },
  {
    name: 'users remove',
    args: 'NAME',
    count: [1, 1],
    help: 'remove a user with sessions and links; the files stay',
    also: ['users rm'],
    reads: 'state',
  },
  {
    name: 'users passwd',
    args: 'NAME',
    count: [1, 1],
    flags: [
      passwordFile,
      {
        name: 'random',
        help: 'make a random one: it is shown on a terminal, else kept in a file beside the state until it is changed',
      },
    ],
    help: 'set a password, also a forgotten one; the sessions of the user end',
    reads: 'state',
  },
  {
    name: 'users export',
    args: '[FILE]',
    count: [0, 1],
    help: 'write all users as JSON, with the hashes of their passwords',
    reads: 'state',
  },
  {
    name: 'users import',
    args: 'FILE',
    count: [1, 1],
    help: 'add users that users export has written; those whose name is taken do not come',
    reads: 'state',
  },
  { name: 'sessions list', flags: [onUser], help: 'show who is signed in, and from where', reads: 'state' },
  {
    name: 'sessions end',
    args: '[ID]',
    count: [0, 1],
    takes: 'id',
    flags: [onUser, { name: 'all', help: 'those of everybody' }],
    help: 'end a session, or all of a user',
    reads: 'state',
  },
  {
    name: 'shares list',
    flags: [onUser],
    help: 'show the links of all people, also those that take files in',
    also: ['shares ls'],
    reads: 'state',
  },
  {
    name: 'shares remove',
    args: 'HASH',
    count: [1, 1],
    takes: 'id',
    help: 'remove a link: it leads nowhere from then on',
    also: ['shares rm'],
    reads: 'state',
  },
  {
    name: 'rules list',
    flags: [rulesOf],
    help: 'show the rules, of which the last one that matches a path decides',
    also: ['rules ls'],
    reads: 'state',
  },
  {
    name: 'rules add',
    args: 'PATH',
    count: [1, 1],
    flags: [
      rulesOf,
      { name: 'allow', help: 'it allows; without it, it denies' },
      { name: 'regex', help: 'PATH is an expression of RE2, which may match anywhere in a path' },
    ],
    help: 'add a rule behind the others: it decides about the path and what is below it',
    reads: 'state',
  },
  {
    name: 'rules remove',
    args: 'NUMBER',
    count: [1, 1],
    flags: [rulesOf],
    help: 'remove a rule, by its number in rules list',
    reads: 'state',
  },
  {
    name: 'rules test',
    args: 'PATH',
    count: [1, 1],
    flags: [
      {
        name: 'user',
        value: 'NAME',
        help: 'for this user, from whose scope the path counts; without it, the global rules alone',
      },
    ],
    help: 'say whether the rules allow a path, and which one decides',
    reads: 'state',
  },
  {
    name: 'config show',
    args: '[NAME]',
    count: [0, 1],
    help: 'show the settings of the page, or one of them, such as branding.name',
    also: ['config cat'],
    reads: 'state',
  },
  {
    name: 'config set',
    args: 'NAME VALUE',
    count: [2, 2],
    help: 'set one of them: a text, a number, yes or no; a list as words or JSON',
    reads: 'state',
  },
  { name: 'config export', args: '[FILE]', count: [0, 1], help: 'write the settings as JSON', reads: 'state' },
  {
    name: 'config import',
    args: 'FILE',
    count: [1, 1],
    help: 'set what a file of config export has; settings that it lacks stay',
    reads: 'state',
  },
  {
    name: 'hooks list',
    args: '[EVENT]',
    count: [0, 1],
    help: 'show the commands that run at events, such as after_upload',
    also: ['hooks ls', 'cmds ls'],
    reads: 'state',
  },
  {
    name: 'hooks add',
    args: 'EVENT LINE',
    count: [2, 2],
    help: 'add a command behind those of the event; LINE is one word for the shell: \'echo "$FILE"\'',
    also: ['cmds add'],
    reads: 'state',
  },
  {
    name: 'hooks remove',
    args: 'EVENT NUMBER',
    count: [2, 2],
    help: 'remove one, by its number in hooks list',
    also: ['hooks rm'],
    reads: 'state',
  },
  {
    name: 'keys rotate',
    help: 'make new keys: all sessions and tokens end, and everybody signs in again',
    reads: 'state',
  },
  {
    name: 'backup',
    args: 'FOLDER',
    count: [1, 1],
    help: 'copy the state with all that lies beside it into a new folder, or into a new one in a folder that is there',
    reads: 'state',
  },
  {
    name: 'restore',
    args: 'FOLDER',
    count: [1, 1],
    help: 'put a backup in the place of the state, while no server runs; what was there is kept beside it',
    reads: 'state',
  },
  { name: 'import', args: 'FILE', help: 'bring over what File Browser has (holdall import --help)', reads: 'own' },
  { name: 'health', help: 'ask the server with the same options whether it is well; also as --health', reads: 'server' },
  { name: 'licenses', help: 'print the licences of all that this program holds; also as --licenses', reads: 'nothing' },
  {
    name: 'completions',
    args: 'bash|zsh|fish',
    count: [1, 1],
    help: 'print what completes commands and options in a shell',
    also: ['completion'],
    reads: 'nothing',
  },
  { name: 'help', args: '[COMMAND]', count: [0, 2], help: 'list the commands, or say what one takes', reads: 'nothing' },
] as const satisfies readonly SubcommandRow[]

export type SubcommandName = (typeof table)[number]['name']

type NamedRow = SubcommandRow & Readonly<{ name: SubcommandName }>

/** The names of those that use the state. */
export type StateCommand = Extract<(typeof table)[number], { reads: 'state' }>['name']

/** The rows under their common type, for loops. */
export const subcommandRows: readonly NamedRow[] = table

/** `--json` of the commands that use the state. */
export const jsonFlag: SubcommandFlag = { name: 'json', help: 'print JSON, for scripts' }

/** All flags of a command. */
export const flagsOf = ({ flags = [], reads }: SubcommandRow): readonly SubcommandFlag[] =>
  reads === 'state' ? [...flags, jsonFlag] : flags
