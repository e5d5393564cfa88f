// Starts decoders: the same program as the server, with a flag that is in no help text.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import type { Duplex, Readable } from 'node:stream'
import { sourceFolder } from '../base/source-folder.ts'

/** The first argument of a decoder. */
export const decoderFlag = '--picture-decoder'

/** A new child process, and the pipes for tasks and answers. */
export type DecoderProcess = Readonly<{ child: ChildProcess; tasks: Duplex; answers: Readable }>

/** Starts a decoder, which knows nothing of the environment of the server but the folder of the native modules. */
export function startDecoder(): DecoderProcess {
  const { PKG_NATIVE_CACHE_PATH } = process.env
  const child = spawn(process.execPath, [...program(), decoderFlag], {
    cwd: '/',
    env: {
      // A picture is decoded by one thread; each further one has an arena of memory.
      UV_THREADPOOL_SIZE: '2',
      MALLOC_ARENA_MAX: '2',
      ...(PKG_NATIVE_CACHE_PATH !== undefined && { PKG_NATIVE_CACHE_PATH }),
    },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  })
  return { child, tasks: child.stdio[0] as Duplex, answers: child.stdio[3] as Readable }
}

/** The executable starts by itself, with `--expose-gc` as package.ts sets it; a bundle and the sources are started by Node. */
function program(): string[] {
  if (isSea()) return []
  return ['--expose-gc', sourceFolder === '' ? (process.argv[1] ?? '') : join(sourceFolder, 'main.ts')]
}
