/** Escaped characters except `\z`, and classes of characters. */
const literals = /\\[^z]|\[\^?\]?(?:\\.|[^\]\\])*\]/gs

/** What asks for the end of a name: a path that goes on has it too. */
const endsOfNames = /\((?:\?:)?(?:\/\|\$|\$\|\/)\)/g

/**
 * Whether an expression that denies may match a folder without matching what is in it: such a rule blocks that too. Any other
 * expression is found in a path that goes on as well.
 */
export function blocksBelow(expression: string): boolean {
  return /\$|\\z/.test(expression.replace(literals, '').replace(endsOfNames, ''))
}
