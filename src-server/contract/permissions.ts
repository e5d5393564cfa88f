export const permissionNames = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const

export type Permission = (typeof permissionNames)[number]

/** What a principal wants to do at a path. */
export type Need = 'see' | Exclude<Permission, 'admin'>
