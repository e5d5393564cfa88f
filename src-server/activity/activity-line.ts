/** One entry of the activity log. */
export type ActivityEntry = Readonly<{
  /** ISO 8601, UTC. */
  time: string
  who: string
  what: string
  path?: string | undefined
  to?: string | undefined
  /** With `what` command and commandEnd: what was run. */
  line?: string | undefined
  /** With `what` user: whether the record of `user` was created, changed or deleted. */
  act?: 'create' | 'change' | 'delete' | undefined
  user?: string | undefined
  /** The names of the fields that changed. */
  fields?: readonly string[] | undefined
  /** The id in the trash, of what went there, came back, or was removed from there for good. */
  trash?: string | undefined
  /** The address of the client; '' over a unix socket and for a job. */
  from: string
  way: string
  /** Of what was sent by a request link: who sent it. */
  sender?: string | undefined
  result: 'done' | 'failed'
  /** Why it failed. */
  reason?: string | undefined
  /** How often, when several are joined to one. */
  count?: number | undefined
  /** Its place in the log; only in answers. */
  at?: string | undefined
}>

export function isActivityEntry(value: unknown): value is ActivityEntry {
  return typeof value === 'object' && value !== null && 'what' in value
}

/** Bytes of a text in UTF-8. */
const longestText = 4096

/** The line of an entry, with its newline. Nothing in a name can begin a line, control a terminal or turn its direction. */
export function lineOf(entry: ActivityEntry): string {
  return `${escaped(JSON.stringify(entry, (_key, value) => (typeof value === 'string' ? cut(value) : value)))}\n`
}

function escaped(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Not within a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= longestText) return text
  let end = longestText
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}
