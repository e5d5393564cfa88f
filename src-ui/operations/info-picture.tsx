import { useEffect, useState } from 'react'
import type { Camera, Position, Resolution } from '../../src-server/contract/previews.ts'
import { pageConfig } from '../api/page-config.ts'
import {
  cameraName,
  coordinatesOf,
  formatAltitude,
  formatCoordinates,
  formatExposure,
  formatMegapixels,
  formatResolution,
  formatTaken,
  mapAddress,
  zoneOf,
} from '../i18n/photo.ts'
import { t } from '../i18n/t.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { CopyButton } from './copy-button.tsx'
import { OnDemandRow } from './on-demand-row.tsx'
import { pictureFacts } from './picture-facts.ts'

/** The size of a picture in pixels, and on demand how and where it was taken; the rows of a `dl`. */
export const InfoPicture = view(function InfoPicture({ path }: { path: string }) {
  const [{ resolution, camera, place }] = useState(() => beginWithResolution(path))
  useEffect(() => {
    return () => {
      for (const fact of [resolution, camera, place]) fact.stop()
    }
  }, [resolution, camera, place])
  const { value: shot } = camera.state
  const taken = shot.kind === 'done' ? shot.value?.taken : undefined
  return (
    <>
      <dt>{t('prompts.info.dimensions')}</dt>
      <dd>
        <OnDemandRow
          demand={resolution}
          ask={t('prompts.info.show')}
          labels={{ ask: t('prompts.info.dimensions'), again: t('prompts.info.readDimensionsAgain') }}
          running={() => <Reading label={t('prompts.info.dimensions')} />}
          done={(size) => (size ? <Dimensions size={size} /> : <NotNoted />)}
        />
      </dd>
      <dt>{t('prompts.info.camera')}</dt>
      <dd tabIndex={-1}>
        <OnDemandRow
          demand={camera}
          ask={t('prompts.info.show')}
          labels={{
            ask: t('prompts.info.showCamera'),
            again: t('prompts.info.readCameraAgain'),
            cancel: t('prompts.info.cancelCamera'),
          }}
          running={() => <Reading label={t('prompts.info.camera')} />}
          done={(known = {}) => <CameraLines camera={known} />}
          announced={() => t('prompts.info.cameraShown')}
        />
      </dd>
      {taken !== undefined && <WhenTaken taken={taken} />}
      <dt>{t('prompts.info.place')}</dt>
      <dd tabIndex={-1}>
        <OnDemandRow
          demand={place}
          ask={t('prompts.info.show')}
          labels={{
            ask: t('prompts.info.showPlace'),
            again: t('prompts.info.readPlaceAgain'),
            cancel: t('prompts.info.cancelPlace'),
          }}
          running={() => <Reading label={t('prompts.info.place')} />}
          done={(known) => (known ? <Coordinates place={known} /> : <NotNoted />)}
          announced={() => t('prompts.info.placeShown')}
        />
      </dd>
    </>
  )
})

function beginWithResolution(path: string) {
  const facts = pictureFacts(path)
  void facts.resolution.run()
  return facts
}

function Dimensions({ size }: { size: Resolution }) {
  return (
    <>
      {formatResolution(size)} <span className="muted">{formatMegapixels(size)}</span>
    </>
  )
}

function CameraLines({ camera }: { camera: Camera }) {
  const exposure = formatExposure(camera)
  const name = cameraName(camera)
  if (!name && !camera.lens && exposure.length === 0) return <NotNoted />
  return (
    <span className="fact-lines">
      {name && <bdi>{name}</bdi>}
      {camera.lens && <bdi className="muted">{camera.lens}</bdi>}
      {exposure.length > 0 && (
        <span>
          {exposure.map((part, index) => (
            <span key={part}>
              {index > 0 && ' · '}
              <bdi>{part}</bdi>
            </span>
          ))}
        </span>
      )}
    </span>
  )
}

function WhenTaken({ taken }: { taken: string }) {
  return (
    <>
      <dt>{t('prompts.info.taken')}</dt>
      <dd>
        {formatTaken(taken)} <bdi className="muted">{zoneOf(taken)}</bdi>
      </dd>
    </>
  )
}

function Coordinates({ place }: { place: Position }) {
  const altitude = formatAltitude(place)
  return (
    <span className="fact-lines">
      <span className="sum">
        <span>{formatCoordinates(place)}</span>
        <CopyButton
          text={coordinatesOf(place)}
          label={t('prompts.info.copyPlace')}
          copied={t('prompts.info.placeCopied')}
          failed={t('prompts.info.placeCopyFailed')}
        />
      </span>
      {altitude && <span className="muted">{altitude}</span>}
      {!pageConfig.DisableExternal && (
        // Without a referrer, which would tell the service where this server is.
        <a className="text-link" href={mapAddress(place)} target="_blank" rel="noopener noreferrer">
          {t('prompts.info.map')}
        </a>
      )}
    </span>
  )
}

const Reading = ({ label }: { label: string }) => (
  <span className="fact-reading">
    <ProgressBar label={label} />
  </span>
)

const NotNoted = () => <span className="muted">{t('prompts.info.notNoted')}</span>
