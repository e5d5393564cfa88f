// Style sheets are imported for their effect: the build gathers them beside the entry.
declare module '*.css'
// scripts/bundle-parts.ts
declare module 'holdall:part/*' {
  const address: string
  export default address
}
// scripts/split-words.ts
declare module 'holdall:words/later'
// scripts/split-icons.ts
declare module 'holdall:icons/first'
declare module 'holdall:icons/later'
declare module 'holdall:icons/everywhere' {
  const drawings: Readonly<Record<string, typeof import('@tabler/icons-react').IconX>>
  export default drawings
}
