// A client of the socket of live folders.
import type { ResourceItem } from '../../src-server/contract/files.ts'
import type { LiveMessage, LiveRequest } from '../../src-server/contract/live.ts'
import type { TestApp } from './start-app.ts'
import { until } from './until.ts'

type Kind = LiveMessage['kind']
type Of<K extends Kind> = Extract<LiveMessage, { kind: K }>

export type LiveClient = Readonly<{
  /** All received messages. */
  messages: readonly LiveMessage[]
  /** The close code, as soon as there is one. */
  closed: Promise<number>
  send(request: LiveRequest | string): void
  follow(...folders: string[]): void
  /** Waits for the next message of a kind, and takes it with all before it. */
  next<K extends Kind>(kind: K): Promise<Of<K>>
  close(): void
}>

/** Opens the socket. @throws when it is refused */
export async function openLive(app: Pick<TestApp, 'url'>, token: string | undefined): Promise<LiveClient> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/live?auth=${token}`)
  const messages: LiveMessage[] = []
  let taken = 0
  socket.addEventListener('message', ({ data }) => void messages.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the socket did not open')))
  })
  const send: LiveClient['send'] = (request) => socket.send(typeof request === 'string' ? request : JSON.stringify(request))
  return {
    messages,
    closed,
    send,
    follow: (...folders) => send({ kind: 'follow', folders }),
    next: async <K extends Kind>(kind: K) => {
      const at = () => messages.findIndex((message, index) => index >= taken && message.kind === kind)
      await until(() => at() >= 0, `a message "${kind}" comes`)
      taken = at() + 1
      return messages[taken - 1] as Of<K>
    },
    close: () => socket.close(),
  }
}

/** Opens the socket and follows one folder. @returns when changes are sent */
export async function followFolder(app: TestApp, name: string, folder: string): Promise<LiveClient> {
  const client = await openLive(app, (await app.as(name)).token)
  client.follow(folder)
  await client.next('following')
  return client
}

/** What a page would show of a folder: it applies the messages, and lists again when it is told to. */
export function shownBy(client: LiveClient, list: () => Promise<readonly ResourceItem[]>) {
  const shown = new Map<string, ResourceItem>()
  let applied = 0
  let listed = 0
  const apply = async () => {
    for (; applied < client.messages.length; applied++) {
      const message = client.messages[applied] as LiveMessage
      if (message.kind === 'changed') {
        for (const item of message.items) shown.set(item.name, item)
        for (const name of message.removed) shown.delete(name)
      } else if (message.kind === 'resync') {
        const items = await list()
        listed++
        shown.clear()
        for (const item of items) shown.set(item.name, item)
      }
    }
    return shown
  }
  return { apply, listings: () => listed }
}
