import { Dialog } from 'radix-ui'
import { useEffect, useState } from 'react'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { focusBack } from '../ui/focus-back.ts'
import { view } from '../ui/view.tsx'
import { searchSlice } from './search.ts'
import { SearchFinder } from './search-finder.tsx'

/** The search over the page. */
export const Search = view(function Search() {
  const overlays = useSlice(overlaysSlice)
  const search = useSlice(searchSlice)
  const [invoker] = useState(() => document.activeElement)
  useEffect(() => {
    search.open()
    return () => search.close()
  }, [search])
  return (
    <Dialog.Root open onOpenChange={(shown) => !shown && overlays.close('search')}>
      <Dialog.Portal>
        <Dialog.Overlay className="backdrop" />
        <div className="finder-place finder-place-search">
          <Dialog.Content
            className="finder finder-search"
            aria-describedby={undefined}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              focusBack(invoker)
            }}
          >
            <Dialog.Title className="visually-hidden">{t('search.title')}</Dialog.Title>
            <SearchFinder />
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
})
