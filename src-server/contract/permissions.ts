/** The permissions of a user, by the names that the API uses. */
export const permissionNames = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const

export type Permission = (typeof permissionNames)[number]

/** The permission that an action at a path needs; 'read' is granted unless a rule blocks the path. */
export type Action = 'read' | Exclude<Permission, 'admin'>
