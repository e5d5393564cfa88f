import { signal } from '@preact/signals-core'
import type { FC } from 'react'

/** How much of the disk is used, which the first page does not show; undefined until it is loaded. */
export const usageMeter = signal<FC | undefined>(undefined)
