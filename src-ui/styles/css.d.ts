// Style sheets are imported for their effect: the build gathers them beside the entry.
declare module '*.css'
// scripts/bundle-parts.ts
declare module 'holdall:part/*' {
  const address: string
  export default address
}
