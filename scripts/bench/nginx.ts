// nginx over the same files, if it is installed, with one process as the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { keep, type Workplace } from './workplace.ts'

/** Milliseconds after which it must answer. */
const timeout = 5000

export async function startNginx({ folder, root }: Workplace): Promise<{ url: string; pid: number }> {
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration(folder, root, port))
  const child = keep(spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] }))
  await untilItAnswers(port)
  return { url: `http://127.0.0.1:${port}`, pid: child.pid as number }
}

/** The configuration of distributions (sendfile, tcp_nopush), with all files of nginx below the row's folder. */
function configuration(folder: string, root: string, port: number) {
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
master_process off;
pid "${folder}/nginx.pid";
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  ${own.map((name) => `${name}_temp_path "${folder}/nginx-${name}";`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root "${root}";
  }
}
`
}

/** nginx cannot choose a port itself. */
async function freePort(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port was found')
  return address.port
}

async function untilItAnswers(port: number) {
  const end = performance.now() + timeout
  while (!(await accepts(port))) {
    if (performance.now() > end) throw new Error('nginx did not start: its message is above')
    await setTimeout(20)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
