import type { KeyPress } from '../../src-ui/core/chord.ts'

/** A key as the browser tells of it. */
export const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  ...{ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...over,
})
