declare module 'bzip2-wasm/bzip2-1.0.8/bzip2.mjs' {
  /** libbzip2, compiled by emscripten. */
  type Bzip2 = Readonly<{
    HEAPU8: Uint8Array
    _malloc(length: number): number
    _free(pointer: number): void
    setValue(pointer: number, value: number, type: 'i32'): void
    getValue(pointer: number, type: 'i32'): number
    /** @returns 0, or a negative error */
    _BZ2_bzBuffToBuffCompress(
      to: number,
      toLength: number,
      from: number,
      fromLength: number,
      blockSize: number,
      verbosity: number,
      workFactor: number,
    ): number
  }>
  export default function load(options: { wasmBinary: Uint8Array; locateFile(name: string): string }): Promise<Bzip2>
}
