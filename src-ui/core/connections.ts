import { signal } from '@preact/signals-core'
import { slice } from './workspace.ts'

/** How many connections uploads take. A browser opens six to a server, and what a person waits for must find one. */
export const uploadConnectionsSlice = slice('uploadConnections', () => signal(0))
