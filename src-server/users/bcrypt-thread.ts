// The code of a thread that checks hashes of bcrypt, which takes up to a second: of passwords that come from File Browser.
import { parentPort } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

/** A password, and the hash that it may be right for. The answer is whether it is. */
export type BcryptRequest = Readonly<{ password: string; hash: string }>

parentPort?.on('message', ({ password, hash }: BcryptRequest) => parentPort?.postMessage(compareSync(password, hash)))
