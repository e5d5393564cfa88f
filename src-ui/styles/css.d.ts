// Style sheets are imported for their effect: the build gathers them beside the entry.
declare module '*.css'
