// The messages of the socket on which a person runs one command in a terminal, as JSON texts.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** The subprotocol of these messages. Without one the socket speaks as older clients expect: a line in, lines of output out. */
export const terminalProtocol = 'holdall.pty'

const columns = Type.Integer({ minimum: 1, maximum: 1000 })

/** What the page sends: `run` first and once, then the others. */
export const TerminalRequest = Type.Union([
  Type.Object({ kind: Type.Literal('run'), line: Type.String({ maxLength: 8192 }), columns, rows: columns }),
  /** What the person types. */
  Type.Object({ kind: Type.Literal('input'), text: Type.String() }),
  Type.Object({ kind: Type.Literal('resize'), columns, rows: columns }),
])
export type TerminalRequest = Static<typeof TerminalRequest>

/** What the server sends. The last is `ended` or `refused`. */
export const TerminalMessage = Type.Union([
  Type.Object({ kind: Type.Literal('output'), text: Type.String() }),
  /** `signal`: the number of the signal that ended the program. */
  Type.Object({ kind: Type.Literal('ended'), code: Type.Integer(), signal: Type.Optional(Type.Integer()) }),
  /** Nothing was run. */
  Type.Object({ kind: Type.Literal('refused'), reason: Type.String() }),
])
export type TerminalMessage = Static<typeof TerminalMessage>

export const commandEndpoints = {
  /** A WebSocket; `*` is the folder in which the command runs. 403 unless the server was started with `--enable-exec`. */
  'GET /api/command/*': { access: 'user', actions: ['execute'], socket: true, cookie: true },
} as const satisfies Record<string, Endpoint>
