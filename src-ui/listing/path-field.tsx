import { type FormEvent, useEffect, useRef } from 'react'
import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { go } from '../core/location.ts'
import { normalizePath } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { focusBack } from '../ui/focus-back.ts'
import { Icon } from '../ui/icon.tsx'
import { listingSlice } from './listing.ts'

/** The path as text: Enter goes there, Esc and leaving the field give the way of links back. */
export function PathField() {
  const listing = useSlice(listingSlice)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const invoker = document.activeElement
    field.current?.focus()
    field.current?.select()
    return () => queueMicrotask(() => focusBack(invoker))
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    listing.editPath(false)
    // What is a file and no folder is found out there, and its address put right.
    go(pageOf(normalizePath((field.current?.value ?? '').trim()), true).slice(baseURL.length))
  }
  return (
    <form className="path-edit" onSubmit={submit} data-scope="path">
      <Icon name="folder" />
      <input
        ref={field}
        className="input"
        aria-label={t('listing.path')}
        defaultValue={listing.currentPath.peek()}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onBlur={() => listing.editPath(false)}
      />
    </form>
  )
}
