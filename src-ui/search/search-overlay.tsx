import { useEffect } from 'react'
import type { Opened } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Modal, ModalTitle } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { searchSlice } from './search.ts'
import { SearchFinder } from './search-finder.tsx'

/** The search over the page. */
export const Search = view(function Search({ onClose }: Opened<'search'>) {
  const search = useSlice(searchSlice)
  useEffect(() => {
    search.open()
    return () => search.close()
  }, [search])
  return (
    <Modal className="finder finder-search" place="finder-place finder-place-search" onClose={onClose}>
      <ModalTitle className="visually-hidden">{t('search.title')}</ModalTitle>
      <SearchFinder onClose={onClose} />
    </Modal>
  )
})
