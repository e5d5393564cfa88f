/** The first two letters or digits of a name. */
export const initialsOf = (name: string): string => [...name.replace(/[^\p{L}\p{N}]/gu, '')].slice(0, 2).join('').toUpperCase()
