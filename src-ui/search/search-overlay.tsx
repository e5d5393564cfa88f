import { useEffect } from 'react'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Modal, ModalTitle } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { searchSlice } from './search.ts'
import { SearchFinder } from './search-finder.tsx'

/** The search over the page. */
export const Search = view(function Search() {
  const overlays = useSlice(overlaysSlice)
  const search = useSlice(searchSlice)
  useEffect(() => {
    search.open()
    return () => search.close()
  }, [search])
  return (
    <Modal className="finder finder-search" place="finder-place finder-place-search" onClose={() => overlays.close('search')}>
      <ModalTitle className="visually-hidden">{t('search.title')}</ModalTitle>
      <SearchFinder />
    </Modal>
  )
})
