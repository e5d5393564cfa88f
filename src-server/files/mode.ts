// Go's file-mode integer, which existing clients expect: permission bits as in Unix, kinds as high bits of its own.

const typeMask = 0o170000
const goTypes = new Map([
  [0o040000, 2 ** 31], // folder
  [0o120000, 2 ** 27], // symbolic link
  [0o060000, 2 ** 26], // block device
  [0o010000, 2 ** 25], // named pipe
  [0o140000, 2 ** 24], // socket
  [0o020000, 2 ** 26 + 2 ** 21], // character device
])
const goSpecial: readonly (readonly [unix: number, go: number])[] = [
  [0o4000, 2 ** 23], // setuid
  [0o2000, 2 ** 22], // setgid
  [0o1000, 2 ** 20], // sticky
]

/** @param mode the kind and permission bits of `stat` */
export function goMode(mode: number): number {
  const special = goSpecial.reduce((sum, [unix, go]) => sum + (mode & unix ? go : 0), 0)
  return (mode & 0o777) + special + (goTypes.get(mode & typeMask) ?? 0)
}
