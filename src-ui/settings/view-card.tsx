import { setTileFit, setTileSize, tileFit, tileFits, tileSize, tileSizes } from '../core/preferences.ts'
import { useSlice } from '../core/use-workspace.ts'
import { type Key, t } from '../i18n/t.ts'
import { listingSlice } from '../listing/listing.ts'
import { Card, Section } from '../ui/card.tsx'
import { Select } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { AtOnce } from './update-foot.tsx'

const viewModes = ['list', 'mosaic'] as const
const columns = ['name', 'size', 'modified'] as const
const directions = ['up', 'down'] as const

const sizeLabels = { small: 'command.smallTiles', medium: 'command.mediumTiles', large: 'command.largeTiles' } as const
const fitLabels = { whole: 'command.wholePictures', cropped: 'command.croppedPictures' } as const

/** How folders are shown. Each choice is stored at once. */
export const ViewCard = view(function ViewCard() {
  const listing = useSlice(listingSlice)
  const { by, asc } = listing.sorting.value
  return (
    <Card label={t('settings.view.title')}>
      <Section title={t('settings.view.title')}>
        <Select
          label={t('listing.view')}
          value={listing.viewMode.value}
          options={optionsOf(viewModes, (mode) => `listing.${mode}`)}
          onValue={(mode) => listing.setViewMode(mode)}
        />
        <div className="pair">
          <Select
            label={t('settings.view.sortBy')}
            value={by}
            options={optionsOf(columns, (column) => `listing.${column}`)}
            onValue={(column) => listing.setSorting({ by: column, asc })}
          />
          <Select
            label={t('settings.view.direction')}
            value={asc ? 'up' : 'down'}
            options={optionsOf(directions, (direction) =>
              direction === 'up' ? 'command.sortAscending' : 'command.sortDescending',
            )}
            onValue={(direction) => listing.setSorting({ by, asc: direction === 'up' })}
          />
        </div>
        <div className="pair">
          <Select
            label={t('settings.view.tiles')}
            value={tileSize.value}
            options={optionsOf(tileSizes, (size) => sizeLabels[size])}
            onValue={setTileSize}
          />
          <Select
            label={t('settings.view.pictures')}
            value={tileFit.value}
            options={optionsOf(tileFits, (fit) => fitLabels[fit])}
            onValue={setTileFit}
          />
        </div>
        <AtOnce />
      </Section>
    </Card>
  )
})

const optionsOf = <T extends string>(values: readonly T[], label: (value: T) => Key) =>
  values.map((value) => ({ value, label: t(label(value)) }))
