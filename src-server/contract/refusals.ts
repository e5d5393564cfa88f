// The refusals that people meet: the sentence, which scripts read and which stays, and its code, for which the page has words of its
// own in each language. `{{name}}` stands for a parameter.

/** Sentence → code. */
export const refusalCodes = {
  // Names and what is in the way.
  'the name is taken': 'nameTaken',
  'the name is taken in another spelling': 'spellingTaken',
  'a folder is in the way': 'folderInTheWay',
  'a file is in the way': 'fileInTheWay',
  'a device, pipe or socket is in the way': 'deviceInTheWay',
  'a link that leads nowhere is in the way': 'brokenLinkInTheWay',
  'a folder cannot go into itself': 'folderIntoItself',
  'a folder cannot be moved into itself': 'folderIntoItself',
  'a folder cannot be written to': 'folderInTheWay',
  'a folder and a file cannot replace each other': 'kindsDiffer',
  'the name is too long': 'nameTooLong',
  'a name is longer than 255 bytes': 'nameTooLong',
  'the path is longer than 4,096 bytes': 'pathTooLong',
  'the file system refuses this name': 'nameRefused',
  'the folder holds a name that is not UTF-8': 'nameNotUtf8',
  // Changes.
  'something changed while it was moved, and was left where it was': 'changedWhileMoved',
  'the folder holds something that is not yours to change': 'foreignInside',
  'it holds something that is not yours to change': 'foreignInside',
  'this cannot be copied': 'notCopied',
  'the root folder stays where it is': 'rootStays',
  'a device or a broken name cannot go to another file system': 'notMovedAcross',
  'the folder is not empty': 'notEmpty',
  'the file is a running program': 'runningProgram',
  'the file or folder is in use by the system': 'inUse',
  'the folder was moved meanwhile': 'folderMoved',
  'a file system is mounted in it': 'mountInside',
  'the folder was deleted meanwhile': 'folderDeleted',
  'the file was replaced meanwhile': 'fileReplaced',
  'there is no trash for this: {{reason}}': 'noTrash',
  'no space is left to put it into the trash; ?trash=false deletes it for good': 'trashFull',
  'only who has deleted it, or an administrator, may delete it for good': 'othersTrash',
  'the file is being written': 'beingWritten',
  'something is being uploaded into the folder': 'uploadInside',
  'the folder holds a trash or another hidden file of a server': 'serverInside',
  // Reading.
  'the link leads out of your files': 'linkLeavesFiles',
  'the link leads round in a circle': 'linkCircle',
  'not a regular file': 'notRegularFile',
  'the file changed while it was read': 'changedWhileRead',
  'the list of this download is no longer kept': 'listGone',
  'an archive holds at most 10,000 chosen entries': 'tooManyChosen',
  'the text is not UTF-8': 'notUtf8',
  '{{encoding}} has no character for {{character}} U+{{number}}': 'characterMissing',
  'decoding the picture takes too much memory': 'pictureTooComplex',
  'decoding the picture takes too long': 'pictureTooComplex',
  'a picture may have at most 256 MB': 'pictureTooLarge',
  'the picture cannot be decoded': 'pictureNotDecoded',
  // The system.
  'the system does not allow it': 'systemRefuses',
  'the file system is read-only': 'readOnlyFileSystem',
  'the quota is used up': 'quotaUsed',
  'the file system holds no file of this size': 'fileTooLarge',
  'the folder holds no more folders': 'folderFull',
  'the file system is not to be reached': 'fileSystemAway',
  // Search.
  'the query is longer than 1,000 characters': 'queryTooLong',
  'the query has more than 16 words': 'queryTooManyWords',
  'case: needs sensitive or insensitive': 'searchCase',
  'type: needs image, audio, video, folder, file or an extension such as pdf': 'searchType',
  'size: needs a number of bytes, such as size:>10M, size:<=500k or size:1M..2G': 'searchSize',
  'changed: needs an age or a day, such as changed:<7d, changed:>1y, changed:2024-05 or changed:2024..2025': 'searchChanged',
  // Commands.
  'commands are off: the server was started without --enable-exec': 'commandsOff',
  'too many commands are running': 'tooManyCommands',
  'a command of the server took too long': 'hookLate',
  'a command of the server wrote too much': 'hookTooMuch',
  'a command of the server was stopped': 'hookStopped',
  'a command of the server could not be run': 'hookNotRun',
  'a command of the server refused it': 'hookRefused',
  // Links.
  'you may not share': 'mayNotShare',
  'only files and folders can be shared': 'onlyFilesShared',
  'there is a permanent link already; delete it to make another': 'permanentLinkExists',
  'you have {{number}} links already': 'tooManyLinks',
  // Accounts.
  '{{field}} is wrong': 'wrongPassword',
  'this needs a sign-in, or the right current_password, within the last 15 minutes': 'proofNeeded',
  'the password is locked': 'passwordLocked',
  'nobody deletes themselves': 'ownAccount',
  'one administrator must remain': 'lastAdministrator',
  'there may be at most {{number}} users': 'tooManyUsers',
  'there is no room for more accounts': 'tooManyUsers',
  'the home folder belongs to another user': 'homeTaken',
  'the password must have at least {{number}} characters': 'passwordTooShort',
  'the password of a link must have at least {{number}} characters': 'passwordTooShort',
  'a user needs a name': 'usernameMissing',
  'a name is at most 255 bytes long': 'usernameTooLong',
  'username: no home folder can be named after it': 'noHomeName',
  '{{field}} must have no space around it': 'usernameRefused',
  '{{field}} must have no invisible character': 'usernameRefused',
  '{{field}} must have no slash and no backslash': 'usernameRefused',
  '{{field}} must have more than dots': 'usernameRefused',
  '{{field}} must have letters of one script': 'usernameRefused',
  'too many sign-ups': 'tooManySignUps',
  'the captcha cannot be checked: {{cause}}': 'captchaNotChecked',
  'too many captchas are being checked': 'captchaNotChecked',
  // Settings.
  'the settings have changed': 'settingsChanged',
  '{{field}} is not the absolute path of a folder': 'noFolder',
  '{{field}} is the absolute path of a folder, or empty': 'noFolder',
  '{{field}} is empty or a colour such as #2979ff': 'noColor',
  '{{field}} is a whole number from {{least}} to {{most}}': 'wholeNumber',
  '{{field}} must be a whole number from {{least}} to {{most}}': 'wholeNumber',
  '{{field}} is a list of at most {{number}} texts of at most {{length}} characters': 'tooManyLines',
  '{{field}} has at most {{number}} expressions': 'tooManyExpressions',
  '{{field}} has at most {{number}} paths': 'tooManyPaths',
  '{{field}} has "{{rule}}", which is no expression of RE2': 'ruleNotExpression',
  '{{field}} has "{{rule}}", which is no path': 'ruleNotPath',
  '{{field}} must not have a NUL character': 'nulCharacter',
  '{{field}} is the path of a folder': 'noScope',
  '{{name}} is no setting': 'unknownField',
  '{{name}} is no field of a user': 'unknownField',
  'a link has no field {{name}}': 'unknownField',
  '{{field}} is true or false': 'noYesOrNo',
  '{{field}} is a text': 'noText',
  '{{field}} is a list of texts': 'noTexts',
  '{{field}} must not be empty': 'empty',
  'only administrators may change {{field}}': 'administratorsOnly',
  'the server was started without --audit-log': 'noActivity',
} as const

/** `wrongValue` is the code of a field whose sentence has no other. */
export type RefusalCode = (typeof refusalCodes)[keyof typeof refusalCodes] | 'wrongValue'

/** A refusal that people meet, or that is about a field: in problem details, and flat in the header `X-Refusal`, as a query. */
export type Refusal = Readonly<{
  /** What the refusal is about, in the call or its record: `username`, `branding.color`. */
  field?: string
  code: RefusalCode
  /** The parameters of the sentence. */
  params: Readonly<Record<string, string | number>>
}>
