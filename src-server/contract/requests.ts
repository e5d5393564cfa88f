// Links that take files in.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { endingPattern, longestRequestText, longestTitle, mostEndings, mostRequestBytes, mostRequestFiles } from './records.ts'

const Count = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }))

/** What its owner says of a request link, and may change later. */
const fields = {
  /** For those who send something. A new link needs one. */
  title: Type.Optional(Type.String({ minLength: 1, maxLength: longestTitle })),
  text: Type.Optional(Type.String({ maxLength: longestRequestText })),
  /** Whole units from now on, 0 to 2,147,483,647; without it, or with '', the link has no end. */
  expires: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  /** `seconds`, `minutes`, `hours` (by default) or `days`. */
  unit: Type.Optional(Type.String()),
  /** Without it, or with '', whoever has the link may send something. */
  password: Type.Optional(Type.String({ maxLength: 1024 })),
  /** Of all files together; 20 GB unless it is said. */
  mostBytes: Count(mostRequestBytes),
  /** Of one file, at most `mostBytes`; 200 MB unless it is said. */
  mostFileBytes: Count(mostRequestBytes),
  /** 10,000 unless it is said. */
  mostFiles: Count(mostRequestFiles),
  /** Of one address; 2,000 unless it is said. */
  filesAnHour: Count(mostRequestFiles),
  /** In lower case and without the dot. None: files of all kinds. */
  endings: Type.Optional(Type.Array(Type.String({ pattern: endingPattern }), { maxItems: mostEndings })),
  asksName: Type.Optional(Type.Boolean()),
  tells: Type.Optional(Type.Boolean()),
}

export const RequestBody = Type.Object({
  ...fields,
  /** Whether what each person sends goes to a folder of its own; so unless it is said. */
  hasFolders: Type.Optional(Type.Boolean()),
})
export type RequestBody = Static<typeof RequestBody>

/** Changes of a request link. What is absent stays as it is; '' and an empty list remove. */
export const RequestChanges = Type.Object({
  ...fields,
  /** true: nothing more is taken in from now on, and what is being sent is given up. */
  closed: Type.Optional(Type.Boolean()),
})
export type RequestChanges = Static<typeof RequestChanges>

/** A link that takes files in, as its owner and administrators see it. Times are in seconds since the epoch. */
export const RequestLink = Type.Object({
  hash: Type.String(),
  /** Of the folder, from the scope of the caller; '' outside it. */
  path: Type.String(),
  /** Of the folder. */
  name: Type.String(),
  userID: Type.Integer(),
  /** Of the owner. */
  username: Type.String(),
  /** 0 for one without an end. */
  expire: Type.Integer(),
  created: Type.Integer(),
  title: Type.String(),
  text: Type.String(),
  hasPassword: Type.Boolean(),
  mostBytes: Type.Integer(),
  mostFileBytes: Type.Integer(),
  mostFiles: Type.Integer(),
  filesAnHour: Type.Integer(),
  endings: Type.Array(Type.String()),
  asksName: Type.Boolean(),
  hasFolders: Type.Boolean(),
  tells: Type.Boolean(),
  /** When it was closed. */
  closedAt: Type.Optional(Type.Integer()),
  /** What has arrived, from how many senders, and when the last of it. */
  files: Type.Integer(),
  bytes: Type.Integer(),
  senders: Type.Integer(),
  lastAt: Type.Optional(Type.Integer()),
  /** How many of these files the owner has seen. */
  seen: Type.Integer(),
  /** Of one that leads nowhere while its folder is in the trash; `path` is the one from before. */
  inTrash: Type.Optional(Type.Literal(true)),
  /** Of one whose owner may no longer take files in there, or of which what was sent cannot be read. */
  leadsNowhere: Type.Optional(Type.Literal(true)),
})
export type RequestLink = Static<typeof RequestLink>

/** A sender, as the owner of the link sees them. */
const RequestSender = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  files: Type.Integer(),
  bytes: Type.Integer(),
  /** Of the last file, or else of the first request. */
  lastAt: Type.Integer(),
  /** Of their folder, from the scope of the caller, where there is one. */
  path: Type.Optional(Type.String()),
})

/** `next`: the `after` of the next page. */
const SenderList = Type.Object({ senders: Type.Array(RequestSender), next: Type.Optional(Type.String()) })

const ArrivalList = Type.Object({
  /** The newest first. */
  arrivals: Type.Array(
    Type.Object({
      /** As its sender knows it, with its folders. */
      name: Type.String(),
      size: Type.Integer(),
      at: Type.Integer(),
      sha256: Type.Optional(Type.String()),
      /** The number of the receipt that names it. */
      receipt: Type.Optional(Type.String()),
    }),
  ),
  next: Type.Optional(Type.String()),
})
export type SenderList = Static<typeof SenderList>
export type ArrivalList = Static<typeof ArrivalList>

const ListQuery = Type.Object({
  /** The `next` of the page before. */
  after: Type.Optional(Type.String()),
  /** The id of one sender. */
  sender: Type.Optional(Type.String()),
})

/** So many of the files that have arrived the owner has seen. */
const SeenBody = Type.Object({ files: Type.Optional(Type.Integer({ minimum: 0 })) })

/** What somebody has sent. */
const SentFile = Type.Object({
  /** With its folders, as it was sent. */
  name: Type.String(),
  size: Type.Integer(),
  at: Type.Integer(),
})

const ReceiptHead = {
  number: Type.String(),
  at: Type.Integer(),
}

/** Says what has arrived of one sender. */
export const Receipt = Type.Object({
  ...ReceiptHead,
  /** Of the link. */
  title: Type.String(),
  /** Of the sender. */
  name: Type.Optional(Type.String()),
  files: Type.Array(
    Type.Object({
      ...SentFile.properties,
      /** Of the file as it arrived; absent until it is known, and of one that was changed before. */
      sha256: Type.Optional(Type.String()),
    }),
  ),
})
export type Receipt = Static<typeof Receipt>

/** Those of the sender, the newest first. */
const ReceiptList = Type.Array(Type.Object({ ...ReceiptHead, files: Type.Integer(), bytes: Type.Integer() }))
export type ReceiptList = Static<typeof ReceiptList>

/** What the page of a request link shows to who sends something: nothing of others, and not how much is left. */
export const RequestPage = Type.Union([
  Type.Object({
    kind: Type.Literal('open'),
    title: Type.String(),
    text: Type.Optional(Type.String()),
    expire: Type.Integer(),
    mostFileBytes: Type.Integer(),
    endings: Type.Optional(Type.Array(Type.String())),
    asksName: Type.Boolean(),
    hasFolders: Type.Boolean(),
    /** As it was said before. */
    name: Type.Optional(Type.String()),
    /** The newest 1,000, the newest first. */
    sent: Type.Array(SentFile),
    sentCount: Type.Integer(),
    receipts: ReceiptList,
    /** What can be gone on with: see `POST /api/public/tus/:hash/*`. */
    unfinished: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        length: Type.Integer(),
        offset: Type.Integer(),
        metadata: Type.Optional(Type.String()),
      }),
    ),
  }),
  /** When it was closed, or ended by time. Of a link whose password was not given, without receipts. */
  Type.Object({ kind: Type.Literal('closed'), closedAt: Type.Integer(), receipts: ReceiptList }),
])
export type RequestPage = Static<typeof RequestPage>

const Hash = Type.Object({ hash: Type.String() })
const HashAndId = Type.Object({ hash: Type.String(), id: Type.String() })
const ofSender = { access: 'request', limit: 'requestCalls' } as const
/** Bodies count as such when there is one: see `api/request-uploads.ts`. */
const streamed = { access: 'request', streamed: true } as const
const ofOwner = { access: 'user', actions: ['share', 'create'] } as const

export const requestEndpoints = {
  'GET /api/requests': { ...ofOwner, listing: Type.Array(RequestLink) },
  // The path is that of a folder.
  'POST /api/requests/*': { ...ofOwner, body: RequestBody, reply: RequestLink },
  'PATCH /api/requests/:hash': { ...ofOwner, params: Hash, body: RequestChanges, reply: RequestLink },
  // The files stay.
  'DELETE /api/requests/:hash': { ...ofOwner, params: Hash },
  // Pages of 100, and of 500.
  'GET /api/requests/:hash/senders': { ...ofOwner, params: Hash, query: ListQuery, listing: SenderList },
  'GET /api/requests/:hash/arrivals': { ...ofOwner, params: Hash, query: ListQuery, listing: ArrivalList },
  // Not POST, which would be the link of a folder named `seen`.
  'PUT /api/requests/:hash/seen': { ...ofOwner, params: Hash, body: SeenBody },

  // A link with a password needs it percent-encoded in `X-SHARE-PASSWORD`, or the cookie of an answer to that. Who sends something is known by
  // another cookie.
  'GET /api/public/request/:hash': { ...ofSender, params: Hash, listing: RequestPage },
  // About all that has arrived of the sender and is in no receipt. Nothing is closed by it.
  'POST /api/public/request/:hash/receipt': { ...ofSender, params: Hash, listing: Receipt },
  // The sender's own alone, until 30 days after the end of the link. With `format=txt` as a text to save.
  'GET /api/public/request/:hash/receipt/:number': {
    ...ofSender,
    params: Type.Object({ hash: Type.String(), number: Type.String() }),
    query: Type.Object({ format: Type.Optional(Type.Literal('txt')) }),
    listing: Receipt,
  },
  // The same as a page for browsers without JavaScript: HTML, in the language that the browser wants.
  'GET /api/public/request/:hash/form': { ...ofSender, params: Hash },
  // Its form, as `multipart/form-data`: a field `name` before the files. It needs a `Content-Length`, and comes from a page of this server.
  'POST /api/public/request/:hash/form': { ...streamed, params: Hash, tellsClosing: true },
  // The form of its password, `application/x-www-form-urlencoded` with a field `password`: the answer leads back to the page.
  'POST /api/public/request/:hash/unlock': { ...ofSender, params: Hash },
  // Ends the cookie: on a computer of several people the next is somebody else.
  'POST /api/public/request/:hash/leave': { ...ofSender, params: Hash },
  // tus 1.0: the path is the name of the file, with its folders. `Upload-Metadata` may have `nonce`, by which a file that is begun twice is one,
  // and `sender`, the name of who sends it.
  'POST /api/public/tus/:hash/*': { ...streamed, params: Hash },
  'HEAD /api/public/tus/:hash/:id': { ...ofSender, params: HashAndId },
  'PATCH /api/public/tus/:hash/:id': { ...streamed, params: HashAndId },
  'DELETE /api/public/tus/:hash/:id': { ...ofSender, params: HashAndId },
} as const satisfies Record<string, Endpoint>
