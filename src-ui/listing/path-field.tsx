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

/** The path as a text field. Enter opens the path; Esc and leaving the field show the breadcrumbs again. */
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
    // The path may be a file; the screen then corrects the address.
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
