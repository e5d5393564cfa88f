declare module 'yauzl' {
  import type { EventEmitter } from 'node:events'

  export class RandomAccessReader extends EventEmitter {
    ref(): void
    unref(): void
    read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void
  }

  export interface Entry {
    readonly versionMadeBy: number
    readonly generalPurposeBitFlag: number
    readonly compressionMethod: number
    readonly crc32: number
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly externalFileAttributes: number
    readonly relativeOffsetOfLocalHeader: number
    readonly fileNameRaw: Buffer
    readonly extraFieldRaw: Buffer
    readonly extraFields: readonly Readonly<{ id: number; data: Buffer }>[]
    getLastModDate(options?: { forceDosFormat: boolean }): Date
  }

  export interface LocalFileHeader {
    readonly fileDataStart: number
    readonly generalPurposeBitFlag: number
    readonly compressionMethod: number
    readonly crc32: number
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly fileName: Buffer
    readonly extraField: Buffer
  }

  export interface ZipFile {
    readonly entryCount: number
    readonly comment: Buffer
    /** Where the next entry of the directory begins. */
    readonly readEntryCursor: number
    eachEntry(): AsyncIterable<Entry>
    readLocalFileHeaderPromise(entry: Entry): Promise<LocalFileHeader>
  }

  type Options = Readonly<{ autoClose: false; decodeStrings: false; validateEntrySizes: true }>
  const yauzl: Readonly<{
    RandomAccessReader: typeof RandomAccessReader
    fromRandomAccessReaderPromise(reader: RandomAccessReader, size: number, options: Options): Promise<ZipFile>
    parseExtraFields(bytes: Buffer): readonly Readonly<{ id: number; data: Buffer }>[]
  }>
  export default yauzl
}
