import { useMemo } from 'react'
import { Loading, useLoaded } from '../core/loaded.tsx'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { ArchivesCard } from './archives-card.tsx'
import { DefaultsCard } from './defaults-card.tsx'
import { GeneralCard } from './general-card.tsx'
import { readGlobal } from './global-settings.ts'
import { HooksCard } from './hooks-card.tsx'
import { TrashCard } from './trash-card.tsx'
import { UploadsCard } from './uploads-card.tsx'

/** The settings of the server: six cards, each of which is stored by itself. */
export const GlobalScreen = view(function GlobalScreen() {
  const ownId = useWorkspace().user.value?.id ?? 0
  const load = useMemo(() => (signal: AbortSignal) => readGlobal(ownId, signal), [ownId])
  const loaded = useLoaded(load)
  return (
    <div className="settings">
      <h1 className="visually-hidden">{t('title.global')}</h1>
      <Loading loaded={loaded}>
        {(loaded) => (
          <>
            <GeneralCard loaded={loaded} />
            <DefaultsCard loaded={loaded} />
            <TrashCard loaded={loaded} />
            <UploadsCard loaded={loaded} />
            <ArchivesCard loaded={loaded} />
            <HooksCard loaded={loaded} />
          </>
        )}
      </Loading>
    </div>
  )
})
