/** Costs that are checked: a check of the highest takes about a second. */
const [leastCost, mostCost] = [4, 14]

/** Whether a stored password is one of bcrypt, which is hashed anew at the next sign-in. */
export const isBcrypt = (stored: string | undefined): stored is string => stored !== undefined && bcryptCost(stored) !== undefined

/** The cost of a hash of bcrypt as File Browser stores it, `$2a$10$` and 53 characters; undefined for any other text and cost. */
export function bcryptCost(text: string): number | undefined {
  const digits = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(text)?.[1]
  const cost = digits === undefined || text.endsWith('\n') ? 0 : Number(digits)
  return cost >= leastCost && cost <= mostCost ? cost : undefined
}
