/** Whether a program that unpacks an entry with this path could write outside its folder. */
export function leavesFolder(path: string): boolean {
  return path.includes('\0') || path.split('/').some((part) => part === '' || part === '.' || part === '..')
}
