// The operation of a request, socket or job: its resources are closed at its end, and its signal stops its work.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { ArchiveTickets } from '../../src-server/api/archive-tickets.ts'
import type { Authenticate } from '../../src-server/api/context.ts'
import { Deadlines } from '../../src-server/api/deadlines.ts'
import { endpoint } from '../../src-server/api/endpoint.ts'
import { Limits } from '../../src-server/api/limits.ts'
import { Operation, type Progress } from '../../src-server/base/operation.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { walk } from '../../src-server/files/walk.ts'
import { fileContext } from '../support/capabilities.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { exchange } from '../support/raw-request.ts'

const reason = new Error('nobody waits for it')

describe('an operation', () => {
  test('closes what it owns at its end, the newest first, each once', async () => {
    const operation = new Operation()
    const closed: string[] = []
    for (const name of ['disk', 'file', 'child']) operation.own({ close: async () => void closed.push(name) })
    await Promise.all([operation.end(), operation.end()])
    assert.deepEqual(closed, ['child', 'file', 'disk'])
  })

  test('closes what is released at once, and not again', async () => {
    const operation = new Operation()
    let closed = 0
    const thing = operation.own({ close: () => void closed++ })
    await operation.release(thing)
    assert.equal(closed, 1)
    await operation.release(thing)
    await operation.end()
    assert.equal(closed, 1)
  })

  test('closes all resources when closing one fails, and reports it', async () => {
    const operation = new Operation()
    let closed = 0
    operation.own({ close: () => void closed++ })
    operation.own({ close: () => Promise.reject(reason) })
    await assert.rejects(operation.end(), reason)
    assert.equal(closed, 1)
  })

  test('closes at once a resource that is added after its end', async () => {
    const operation = new Operation()
    await operation.end()
    let closed = 0
    operation.own({ close: () => void closed++ })
    await operation.end()
    assert.equal(closed, 1)
  })

  test('reports a resource that is added after its end and fails to close, and leaves no rejection behind', async () => {
    const late: unknown[] = []
    const operation = new Operation({ onLateFailure: (error) => late.push(error) })
    operation.own({ close: () => Promise.reject(new Error('known to whoever ended it')) })
    await assert.rejects(operation.end())
    operation.own({ close: () => Promise.reject(reason) })
    const silent = new Operation()
    await silent.end()
    silent.own({ close: () => Promise.reject(reason) })
    // After the turn of the event loop in which Node reports what nobody handles: the test would fail.
    await new Promise(setImmediate)
    assert.deepEqual(late, [reason])
  })

  test('keeps its resources when it is aborted, because its work may still be reading', async () => {
    const operation = new Operation()
    let closed = 0
    operation.own({ close: () => void closed++ })
    operation.abort(reason)
    assert.deepEqual([operation.signal.aborted, operation.signal.reason, closed], [true, reason, 0])
    await operation.end()
    assert.deepEqual([operation.signal.reason, closed], [reason, 1])
  })

  test('aborts its signal at its end', async () => {
    const operation = new Operation()
    assert.equal(operation.signal.aborted, false)
    await operation.end()
    assert.equal(operation.signal.aborted, true)
  })

  test('is aborted with its parent, also when that was aborted before', () => {
    const whole = new AbortController()
    const before = new Operation({ within: whole.signal })
    whole.abort(reason)
    for (const part of [before, new Operation({ within: whole.signal })]) assert.equal(part.signal.reason, reason)
  })

  test('passes on the progress of its work', () => {
    const heard: Progress[] = []
    const operation = new Operation({ onProgress: (progress) => heard.push(progress) })
    operation.report({ done: 1, total: 2 })
    new Operation().report({ done: 1 })
    assert.deepEqual(heard, [{ done: 1, total: 2 }])
  })
})

test('a walk whose operation is aborted makes no more calls to the disk', async () => {
  let listed = 0
  class Counting extends MemoryDisk {
    override list(...asked: Parameters<MemoryDisk['list']>) {
      listed++
      return super.list(...asked)
    }
  }
  const operation = new Operation()
  const context = fileContext(new Counting({ 'a/b/c/d.txt': '', 'e/f.txt': '' }), { signal: operation.signal })
  const toTheEnd = async () => {
    for await (const { entry } of walk(context, parsePath('/'), { action: 'read', order: 'parents first', hidden: 'skip' })) {
      if (entry.path === '/a/b') operation.abort(reason)
    }
  }
  await assert.rejects(toTheEnd, reason)
  assert.equal(listed, 2)
})

/** A call whose operations the test can inspect; `handle` answers it. */
async function startCall(t: TestContext, handle: (operation: Operation) => Promise<unknown>) {
  const app = Fastify()
  t.after(() => app.close())
  const ended = Promise.withResolvers<Operation>()
  const operations: Operation[] = []
  const authenticate = {
    public: async (_request: unknown, _endpoint: unknown, operation: Operation) => {
      operations.push(operation)
      operation.own({ close: () => ended.resolve(operation) })
      return {}
    },
  } as unknown as Authenticate
  endpoint(
    app,
    { contract: endpoints, authenticate, limits: new Limits(), deadlines: new Deadlines(), tickets: new ArchiveTickets() },
    'GET /health',
    async ({ reply }) => {
      const answer = await handle(operations.at(-1) as Operation)
      return answer === undefined ? { status: 'OK' as const } : reply.send(answer)
    },
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(app.listeningOrigin).port), operations, ended: ended.promise }
}

const get = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

describe('the operation of a request', () => {
  test('ends when the response has ended, and not when the handler has returned', async (t) => {
    const content = Promise.withResolvers<string>()
    async function* later() {
      yield await content.promise
    }
    const call = await startCall(t, async () => Readable.from(later()))
    const answered = exchange(call.port, Buffer.from(get))
    const operation = await handlerOf(call)
    await new Promise(setImmediate)
    assert.equal(operation.signal.aborted, false)
    content.resolve('the end')
    await call.ended
    assert.match(String(await answered), /the end/)
  })

  test('ends however the handler ends', async (t) => {
    const call = await startCall(t, () => Promise.reject(reason))
    assert.match(String(await exchange(call.port, Buffer.from(get))), /500/)
    await call.ended
  })

  test('is aborted when the client disconnects, and ends when the handler has returned', async (t) => {
    const aborted = Promise.withResolvers<void>()
    const last = Promise.withResolvers<void>()
    const call = await startCall(t, async ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      await last.promise
    })
    const socket = connect(call.port, '127.0.0.1', () => socket.write(get))
    await handlerOf(call)
    socket.destroy()
    await aborted.promise
    let hasEnded = false
    const ended = call.ended.then(() => {
      hasEnded = true
    })
    await new Promise(setImmediate)
    assert.equal(hasEnded, false)
    last.resolve()
    await ended
  })
})

/** Waits until a handler runs. */
async function handlerOf({ operations }: { operations: Operation[] }): Promise<Operation> {
  while (operations[0] === undefined) await new Promise(setImmediate)
  return operations[0]
}
