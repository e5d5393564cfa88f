import { succeed } from '../core/notices.ts'
import { t } from '../i18n/t.ts'
import { currentPath, selected } from '../listing/listing.ts'
import { clipboard } from './clipboard.ts'
import { transfer } from './transfer.ts'

/** Keeps what is selected, to be copied or moved to where it is pasted. */
export function copyToClipboard(key: 'c' | 'x'): void {
  const items = selected.value
  clipboard.value = { key, items, path: currentPath.value }
  succeed(t(key === 'x' ? 'clipboard.cut' : 'clipboard.copied', { count: items.length }))
}

/** Copies or moves what was taken into the folder that is shown; what was cut is pasted once. */
export async function paste(): Promise<void> {
  const { value } = clipboard
  if (!value) return
  if (value.key === 'x') clipboard.value = undefined
  await transfer({ action: value.key === 'x' ? 'move' : 'copy', items: value.items, to: currentPath.value })
}
