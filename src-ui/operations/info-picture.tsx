import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Camera, Position, Resolution } from '../../src-server/contract/previews.ts'
import { pageConfig } from '../api/page-config.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
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
import { type Key, t } from '../i18n/t.ts'
import { FieldError } from '../ui/field.tsx'
import { Meter } from '../ui/meter.tsx'
import { view } from '../ui/view.tsx'
import { CopyButton } from './copy-button.tsx'
import { type FactState, PictureFacts } from './picture-facts.ts'

/** The size of a picture in pixels, and on demand how and where it was taken; the rows of a `dl`. */
export const InfoPicture = view(function InfoPicture({ path }: { path: string }) {
  const [facts] = useState(() => new PictureFacts(path))
  useEffect(() => {
    void facts.read('resolution')
    return () => facts.cancelAll()
  }, [facts])
  const { value: camera } = facts.state('camera')
  const taken = camera.kind === 'done' ? camera.value?.taken : undefined
  return (
    <>
      <dt>{t('prompts.info.dimensions')}</dt>
      <dd>
        <Dimensions state={facts.state('resolution').value} onRetry={() => void facts.read('resolution')} />
      </dd>
      <dt>{t('prompts.info.camera')}</dt>
      <OnDemand facts={facts} fact="camera" shown={camera.kind === 'done' && <CameraLines camera={camera.value ?? {}} />} />
      {taken !== undefined && <WhenTaken taken={taken} />}
      <Place facts={facts} />
    </>
  )
})

function Dimensions({ state, onRetry }: { state: FactState<Resolution>; onRetry: () => void }) {
  if (state.kind === 'failed')
    return (
      <span className="sum-none">
        <FieldError text={failureReason(state.failure)} />
        <button type="button" className="text-link" aria-label={t('prompts.info.readDimensionsAgain')} onClick={onRetry}>
          {t('action.retry')}
        </button>
      </span>
    )
  if (state.kind !== 'done') return <Reading label={t('prompts.info.dimensions')} />
  if (!state.value) return <NotNoted />
  return (
    <>
      {formatResolution(state.value)} <span className="muted">{formatMegapixels(state.value)}</span>
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

const Place = view(function Place({ facts }: { facts: PictureFacts }) {
  const { value: place } = facts.state('place')
  return (
    <>
      <dt>{t('prompts.info.place')}</dt>
      <OnDemand
        facts={facts}
        fact="place"
        shown={place.kind === 'done' && (place.value ? <Coordinates place={place.value} /> : <NotNoted />)}
      />
    </>
  )
})

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
    <Meter label={label} />
  </span>
)

const NotNoted = () => <span className="muted">{t('prompts.info.notNoted')}</span>

type OnDemandProps = {
  facts: PictureFacts
  fact: 'camera' | 'place'
  /** What is known; false until then. */
  shown: ReactNode
}

/** A fact that is read when its button is pressed; the value in a `dl`. */
const OnDemand = view(function OnDemand({ facts, fact, shown }: OnDemandProps) {
  const notices = useSlice(noticesSlice)
  const value = useRef<HTMLElement>(null)
  const { value: state } = facts.state(fact)
  const read = async () => {
    await facts.read(fact)
    if (facts.state(fact).peek().kind === 'done') notices.announce(t(words[fact].done))
  }
  const isReading = state.kind === 'reading'
  return (
    <dd ref={value} tabIndex={-1}>
      {shown || (
        <span className="sum-none">
          {state.kind === 'failed' && <FieldError text={failureReason(state.failure)} />}
          {isReading && <Reading label={t(words[fact].name)} />}
          <FactButton
            focusAfter={value}
            text={isReading ? 'action.cancel' : state.kind === 'failed' ? 'action.retry' : 'prompts.info.show'}
            label={isReading ? words[fact].cancel : state.kind === 'failed' ? words[fact].again : words[fact].show}
            onClick={() => (isReading ? facts.cancel(fact) : void read())}
          />
        </span>
      )}
    </dd>
  )
})

type FactButtonProps = { focusAfter: RefObject<HTMLElement | null>; text: Key; label: Key; onClick: () => void }

/** Shows, cancels and tries again: one button, which keeps the focus, and hands it to what takes its place. */
function FactButton({ focusAfter, text, label, onClick }: FactButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (shown && document.activeElement === shown) focusAfter.current?.focus({ preventScroll: true })
    }
  }, [focusAfter])
  return (
    <button type="button" className="text-link" ref={button} aria-label={t(label)} onClick={onClick}>
      {t(text)}
    </button>
  )
}

const words = {
  camera: {
    name: 'prompts.info.camera',
    show: 'prompts.info.showCamera',
    cancel: 'prompts.info.cancelCamera',
    again: 'prompts.info.readCameraAgain',
    done: 'prompts.info.cameraShown',
  },
  place: {
    name: 'prompts.info.place',
    show: 'prompts.info.showPlace',
    cancel: 'prompts.info.cancelPlace',
    again: 'prompts.info.readPlaceAgain',
    done: 'prompts.info.placeShown',
  },
} as const satisfies Record<'camera' | 'place', Record<string, Key>>
