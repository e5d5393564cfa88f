import { type Permission, permissionNames } from '../contract/permissions.ts'

/** What a user may do. An administrator has all of them; that is made so when a user is stored, not when it is asked. */
export type Permissions = Readonly<Record<Permission, boolean>>

export const allPermissions: Permissions = everyPermission(true)
export const noPermissions: Permissions = everyPermission(false)

function everyPermission(value: boolean): Permissions {
  return Object.fromEntries(permissionNames.map((name) => [name, value])) as Record<Permission, boolean>
}
