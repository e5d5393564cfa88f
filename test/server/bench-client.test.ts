// The benchmark client counts answers without parsing them: it must find their end however they are split into packets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Connection } from '../../scripts/bench/connection.ts'

const answers = {
  'with a length': { text: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', status: 200, bytes: 5 },
  'in chunks': {
    text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    status: 200,
    bytes: 15,
  },
  'without a body': { text: 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n', status: 503, bytes: 0 },
}

for (const [kind, { text, status, bytes }] of Object.entries(answers)) {
  test(`an answer ${kind} is counted whole, wherever it is cut`, async (t) => {
    const url = await serveCut(t, text)
    const connection = new Connection(url)
    t.after(() => connection.close())
    for (let cut = 1; cut < text.length; cut++) {
      assert.deepEqual(await connection.send({ path: `/${cut}` }), { status, bytes }, `cut at byte ${cut}`)
    }
  })
}

test('an incomplete answer is an error', async (t) => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell'))
  })
  const connection = new Connection(await listen(t, server))
  await assert.rejects(connection.send({ path: '/' }), /closed the connection/)
})

/** Answers each request with the text, in two writes split at the byte in its path. */
function serveCut(t: TestContext, text: string): Promise<string> {
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('data', (request) => {
      const cut = Number(/^GET \/(\d+) /.exec(request.toString())?.[1])
      socket.write(text.slice(0, cut), () => setImmediate(() => socket.write(text.slice(cut))))
    })
  })
  return listen(t, server)
}

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
