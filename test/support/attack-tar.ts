// Tar archives made byte by byte, also ones that no program makes.

export type TarPart = Readonly<{
  name: string | Buffer
  content?: string | Uint8Array
  type?: string
  link?: string
  mode?: number
  size?: number
  /** In place of the octal digits of the size. */
  sizeBytes?: Buffer
  magic?: string
  checksum?: number
  /** Of the old form of GNU for files with holes: the length with them, and whether the map goes on behind the header. */
  sparse?: Readonly<{ size: Buffer; isMore: boolean }>
}>

/** @param end what stands behind the last entry: two blocks of zeros by default */
export function tarOf(parts: readonly TarPart[], end: Uint8Array = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...parts.map(partOf), end])
}

function partOf({ name, content = '', type = '0', link = '', mode = 0o644, magic = 'ustar\x0000', ...of }: TarPart): Buffer {
  const bytes = Buffer.from(content)
  const head = Buffer.alloc(512)
  Buffer.from(name).copy(head, 0, 0, 100)
  head.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  head.write(`${(of.size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124)
  of.sizeBytes?.copy(head, 124)
  head.write(
    `${Math.floor(Date.UTC(2024, 1, 29) / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  )
  head.write(type, 156, 'latin1')
  head.write(link, 157)
  head.write(magic, 257, 'latin1')
  of.sparse?.size.copy(head, 483)
  if (of.sparse?.isMore) head[482] = 1
  head.fill(' ', 148, 156)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${(of.checksum ?? sum).toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/** Records of pax, before the entry that they are about. */
export function paxOf(fields: Readonly<Record<string, string | Buffer>>, type = 'x'): TarPart {
  const records = Object.entries(fields).map(([key, value]) => {
    const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')])
    let length = rest.length + 1
    while (String(length).length + rest.length > length) length++
    return Buffer.concat([Buffer.from(String(length)), rest])
  })
  return { name: 'pax', type, content: Buffer.concat(records) }
}
