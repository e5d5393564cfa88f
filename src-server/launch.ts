// The first code of the bundle: runs the server, whose code is one of the bundled files, with V8's cache of its compiled functions
// where the executable has one. The cache spares the start two thirds of its time: V8 does not read the source of what it holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'
import { Script } from 'node:vm'
import { bundledFilesName, readBundledFiles } from './base/bundled-files.ts'

/** Defined by `build.ts`: the folder of the bundle. */
declare const HOLDALL_FOLDER: string

const filename = join(HOLDALL_FOLDER, 'holdall-server.cjs')
// Without a copy: the executable is mapped into memory, and memory that is read from it belongs to all its processes.
const packed = isSea() ? Buffer.from(getRawAsset(bundledFilesName)) : readFileSync(join(HOLDALL_FOLDER, bundledFilesName))
const files = readBundledFiles(packed)
const cachedData = files.names.includes('server.cache') ? files.bytes('server.cache') : undefined
// The code has ASCII characters only, so that each byte is one.
const script = new Script(files.bytes('server.cjs').toString('latin1'), { filename, ...(cachedData && { cachedData }) })
const codeCache = cachedData === undefined ? 'none' : script.cachedDataRejected ? 'refused' : 'used'
script.runInThisContext()(require, filename, HOLDALL_FOLDER, { ...files, codeCache })
