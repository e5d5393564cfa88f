// A decoder: a child process that decodes one picture after another. It reads pictures from its standard input, opens no file, and
// is ended when it takes too long or too much memory.
import * as fs from 'node:fs'
import { setPriority } from 'node:os'
import { describePicture } from './describe-picture.ts'
import { frameStart, largestInput, lengthsIn, lengthsSize, type Task } from './frames.ts'
import { prepareSharp, Refused, render } from './render.ts'

/** The descriptors for tasks and for answers. Libraries may write to standard output. */
const [tasks, answers] = [0, 3]

/** Milliseconds after which a decoder ends itself: later than the server does, which may have been killed. */
const longest = 60_000

type DecodeRequest = Readonly<{ task: Task; picture: Buffer }>
type Answer = Readonly<{ head: unknown; body?: Buffer }>

/** Bytes of the files of former pictures that are kept: giving them back takes some 25 ms, for which the next picture may wait. */
const mostKept = 16 << 20

/** Decodes until standard input ends. */
export async function runDecoder(): Promise<never> {
  leaveSignals()
  const answer = await ready()
  // Not before: on a busy machine the start would take many times as long, and a request waits for it.
  yieldToOthers()
  send(answer)
  const least = process.memoryUsage().external
  while (await answerNext()) {
    // V8 collects memory outside of its heap only after 64 MB of it. No variable holds the last file here.
    if (process.memoryUsage().external > least + mostKept) globalThis.gc?.()
  }
  process.exit()
}

/** @returns false at the end of the tasks */
async function answerNext(): Promise<boolean> {
  const asked = next()
  if (!asked) return false
  send(await limited(asked))
  return true
}

/** Ctrl+C is for the server, which ends its decoders. */
function leaveSignals() {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
}

/** The server has precedence: for the processor, and when memory runs out. */
function yieldToOthers() {
  try {
    setPriority(5)
    fs.writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only a preference.
  }
}

async function ready(): Promise<Answer> {
  try {
    await prepareSharp()
    return { head: { ready: true } }
  } catch (error) {
    return { head: { ready: false, reason: error instanceof Error ? error.message.slice(0, 1000) : '' } }
  }
}

async function limited(asked: DecodeRequest): Promise<Answer> {
  const timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), longest)
  try {
    return await answerTo(asked)
  } catch (error) {
    if (error instanceof Refused) return { head: { refusal: error.refusal } }
    return { head: { refusal: { code: 'unsupported', message: 'the picture cannot be decoded' } } }
  } finally {
    clearTimeout(timer)
  }
}

async function answerTo({ task, picture }: DecodeRequest): Promise<Answer> {
  if (task === 'describe') return { head: { description: await describePicture(picture) } }
  const { type, bytes } = await render(picture, task)
  return { head: { type }, body: bytes }
}

/** Waits for the next task. @returns undefined at the end of the input: the server has ended, or needs this decoder no longer */
function next(): DecodeRequest | undefined {
  const lengths = read(lengthsSize)
  if (!lengths) return undefined
  const { head, body } = lengthsIn(lengths, largestInput)
  const [text, picture] = [read(head), read(body)]
  if (!text || !picture) return undefined
  return { task: JSON.parse(text.toString()).task, picture }
}

function read(length: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafeSlow(length)
  for (let at = 0; at < length; ) {
    const count = fs.readSync(tasks, buffer, at, length - at, null)
    if (count === 0) return undefined
    at += count
  }
  return buffer
}

function send({ head, body = Buffer.alloc(0) }: Answer) {
  for (const part of [frameStart(head, body.length), body]) {
    for (let at = 0; at < part.length; ) at += fs.writeSync(answers, part, at)
  }
}
