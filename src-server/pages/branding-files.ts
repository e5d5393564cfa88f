// The files of the branding folder that are served: an exact list, because the folder may hold others.
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Address below `static/` → type. The files have the same paths in the folder. */
export const brandingTypes: Readonly<Record<string, string>> = {
  'img/logo.svg': 'image/svg+xml',
  'img/icons/favicon.svg': 'image/svg+xml',
  'img/icons/favicon.ico': 'image/x-icon',
  'img/icons/favicon-16x16.png': 'image/png',
  'img/icons/favicon-32x32.png': 'image/png',
  'img/icons/apple-touch-icon.png': 'image/png',
  'img/icons/android-chrome-192x192.png': 'image/png',
  'img/icons/android-chrome-512x512.png': 'image/png',
  'img/icons/mstile-144x144.png': 'image/png',
}

/** The style sheet in the folder: it is not served by itself. */
export const folderStyleSheet = 'custom.css'

/** Bytes. */
const largest = 1024 * 1024

/** A named pipe must not keep the request waiting, nor a terminal become that of the process. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/**
 * Reads a file of the branding folder.
 * @returns undefined unless it is a regular file of at most 1 MiB that lies in the folder, also when links lead to it
 */
export async function readBrandingFile(folder: string, name: string): Promise<Buffer | undefined> {
  try {
    const top = await realpath(folder)
    // Asked before opening too: to open a device can have an effect.
    if (!isBelow(await realpath(join(top, name)), top)) return undefined
    const handle = await open(join(top, name), flags)
    try {
      return isBelow(await placeOf(handle, join(top, name)), top) ? await contentOf(handle) : undefined
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

const isBelow = (path: string, folder: string) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Where an open file really lies: the path may have been exchanged for a link meanwhile. */
function placeOf(handle: FileHandle, path: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(path)
}

async function contentOf(handle: FileHandle): Promise<Buffer | undefined> {
  const stats = await handle.stat()
  if (!stats.isFile() || stats.size > largest) return undefined
  // It may grow while it is read.
  const buffer = Buffer.alloc(stats.size)
  const { bytesRead } = await handle.read(buffer, 0, stats.size, 0)
  return buffer.subarray(0, bytesRead)
}
