import { type Permission, permissionNames } from '../contract/permissions.ts'

/** What a user may do. An administrator's are all true: they are set when the user is stored. */
export type Permissions = Readonly<Record<Permission, boolean>>

export const allPermissions: Permissions = everyPermission(true)
export const noPermissions: Permissions = everyPermission(false)

function everyPermission(value: boolean): Permissions {
  return Object.fromEntries(permissionNames.map((name) => [name, value])) as Record<Permission, boolean>
}
