// A state with as many users, links and rules as are wanted.
import type { StateData, StoredLink, StoredUser } from '../../src-server/state/state-data.ts'
import { stateError } from '../../src-server/state/state-schema.ts'

export type Amounts = Readonly<{ users: number; links: number; paths: number; expressions: number }>

/** The second user, `otherPerson`, has the rules and owns most links. `hash` is that of the link to the first file. */
export const ruledUser = { id: 2, hash: hashOf(0) }

/** @param files what the links lead to */
export function manyState(state: StateData, amounts: Amounts, files: readonly string[]): StateData {
  const [administrator, ruled] = state.users
  if (administrator === undefined || ruled?.id !== ruledUser.id) throw new Error('the state has other users')
  const others = Array.from({ length: amounts.users - 2 }, (_, index) => ({ ...ruled, id: 3 + index, username: `user ${index}` }))
  const users = [administrator, { ...ruled, rules: rulesOf(amounts) }, ...others]
  const links = Array.from({ length: amounts.links }, (_, index) => linkTo(files[index % files.length] ?? '/', index))
  const many = { ...state, users, lastUserId: users.length, links }
  const problem = stateError(many)
  if (problem !== undefined) throw new Error(`the state is not valid: ${problem}`)
  return many
}

/** None of them matches what is listed and linked, so that the same is listed with few as with many. */
function rulesOf({ paths, expressions }: Amounts): StoredUser['rules'] {
  const named = Array.from({ length: paths }, (_, index) =>
    index % 2 === 0 ? `/departments/${index}/private` : `/thousand/page ${index}`,
  )
  return [
    ...named.map((path) => ({ allow: false, path, regex: false, regexp: { raw: '' } })),
    ...Array.from({ length: expressions }, (_, index) => ({
      allow: false,
      path: '',
      regex: true,
      regexp: { raw: expression(index) },
    })),
  ]
}

function expression(index: number) {
  const forms = [
    `/projects/[a-z]+-${index}/.*\\.key$`,
    `(?i)\\.secret${index}$`,
    `^/clients/[^/]+/case-${index}(/|$)`,
    `\\bbackup${index}\\b`,
  ]
  return forms[index % forms.length] ?? ''
}

function linkTo(path: string, index: number): StoredLink {
  return {
    hash: hashOf(index),
    userId: index % 10 === 9 ? 1 : ruledUser.id,
    path,
    isDir: false,
    identity: '',
    expire: 0,
    createdAt: 1_700_000_000,
  }
}

function hashOf(index: number) {
  return `link-${String(index).padStart(17, '0')}`
}
