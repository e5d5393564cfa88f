import { pageConfig } from '../api/page-config.ts'

/** Names of the pictures that the server decodes. */
const pictures = /\.(jpe?g|jpe|jfif|a?png|gif|webp|avif|tiff?|svg)$/i
/** Bytes of the largest file that it decodes. */
const largestFile = 256_000_000

type Thing = { name: string; size: number; isDir: boolean; unreachable?: unknown }

/** Whether the server makes a small picture of a file. */
export function hasPicture({ name, size, isDir, unreachable }: Thing): boolean {
  return pageConfig.EnableThumbs && !isDir && unreachable === undefined && pictures.test(name) && size > 0 && size <= largestFile
}
