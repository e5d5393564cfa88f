import { type ComponentProps, type MouseEvent, useEffect } from 'react'
import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { type Command, commandTableSlice, isAllowed } from '../core/command.ts'
import { CommandMenu } from '../core/command-menu.tsx'
import type { ListingState } from '../core/entry-view.ts'
import { ErrorView } from '../core/error-view.tsx'
import { historyKey, scrollStatesSlice } from '../core/history.ts'
import { filePath, go } from '../core/location.ts'
import { pageSlice } from '../core/page.ts'
import { nameOf, normalizePath, parentOf } from '../core/paths.ts'
import { run } from '../core/run.ts'
import { isSignInAsked } from '../core/session.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { editorSlice } from '../editor/editor.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { DropTarget } from '../uploads/drop-target.tsx'
import { FileScreen } from './file-screen.tsx'
import { Grid } from './grid.tsx'
import { type Listing, listingSlice } from './listing.ts'
import { PartialGrid } from './partial-grid.tsx'
import { PathBar } from './path-bar.tsx'
import { Skeleton } from './skeleton.tsx'
import { useContentFocus } from './use-content-focus.ts'
import { showMenu } from './use-pointer.ts'

/** The screen for `/files/…`: the listing of a folder, or one file. */
export const FilesScreen = view(function FilesScreen() {
  const listing = useSlice(listingSlice)
  const editor = useSlice(editorSlice)
  const address = filePath.value
  const path = normalizePath(address)
  useEffect(() => void listing.load(path), [listing, path])
  useEffect(() => () => listing.reset(), [listing])
  useSubject(path)
  useTidyAddress(listing.state.value, address)
  const { kind } = listing.state.value
  const isFile = kind === 'file' && !(listing.loading.value && isOtherFolder(listing))
  // Text that is not saved stays, also when the file is gone or the server cannot be reached.
  if (isFile || editor.holds(path))
    return (
      <>
        <FileScreen />
        <DropTarget />
      </>
    )
  return (
    <>
      <PathBar
        hasListing={kind === 'folder'}
        sortMenu={
          <CommandMenu place="sort" label={t('menu.sort')}>
            <SortButton />
          </CommandMenu>
        }
      />
      <Content />
      <DropTarget />
    </>
  )
})

/** Whether what is loaded is not in the folder of the file that is shown. */
function isOtherFolder(listing: Listing): boolean {
  const { value } = listing.state
  return value.kind === 'file' && parentOf(listing.currentPath.value) !== parentOf(value.path)
}

/** Milliseconds after which loading is retried when the server was not reached. */
const retryTime = 5000

const Content = view(function Content() {
  const scrollStates = useSlice(scrollStatesSlice)
  const listing = useSlice(listingSlice)
  const { value } = listing.state
  const isOld = value.kind !== 'nothing' && value.path !== listing.currentPath.value
  const partial = listing.partialListing.value
  // While the person is asked to sign in, what was shown stays.
  const isWaiting = listing.loading.value && !(isOld && isSignInAsked.value)
  useContentFocus([listing.currentPath.value, value.kind, isOld, partial !== undefined, isWaiting].join())
  // When a scroll position will be restored, the first entries are not the ones to show.
  if (partial && !scrollStates.get(historyKey())?.scroll) return <PartialGrid preview={partial} />
  if (isWaiting && (isOld || value.kind === 'nothing')) return <Skeleton />
  if (value.kind === 'nothing') return <div className="pane" aria-busy="true" />
  if (value.kind === 'failed') return <Failed failed={value} />
  if (value.kind === 'file') return <div className="pane" aria-busy="true" />
  return value.entries.length === 0 ? <EmptyFolder /> : <Grid key={value.path} />
})

function Failed({ failed }: { failed: ListingState & { kind: 'failed' } }) {
  const listing = useSlice(listingSlice)
  const { status, reason, refusal, gone } = failed
  useReturn(listing, status === 0)
  return (
    <div className="pane">
      <ErrorView {...{ status, reason, refusal, gone }} code={codeOf(failed)} onRetry={() => void listing.refresh()} />
    </div>
  )
}

// The requested address; for a fault of the server, its message.
function codeOf({ path, status, message }: ListingState & { kind: 'failed' }): string {
  return status === 403 || status === 404 ? `/files${path}` : message
}

/** Loads again when the network or the server may be back. */
function useReturn(listing: Listing, isAway: boolean): void {
  useEffect(() => {
    const retry = () => void listing.refresh()
    // The browser reports a network that is back, but not a server.
    const timer = isAway ? setInterval(retry, retryTime) : undefined
    addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retry)
    }
  }, [listing, isAway])
}

/** The folder's name in the title. */
function useSubject(path: string): void {
  const page = useSlice(pageSlice)
  useEffect(() => {
    page.subject.value = nameOf(path) || undefined
    return () => {
      page.subject.value = undefined
    }
  }, [page, path])
}

/** The address of a folder ends in a slash, and that of a file does not. */
function useTidyAddress(now: ListingState, address: string): void {
  useEffect(() => {
    if (now.kind !== 'folder' && now.kind !== 'file') return
    if (now.path !== normalizePath(address) || address.endsWith('/') === (now.kind === 'folder')) return
    go(pageOf(now.path, now.kind === 'folder').slice(baseURL.length), { replace: true, state: history.state })
  }, [now, address])
}

/** A folder without entries, with buttons to upload and create for users who may. */
const EmptyFolder = view(function EmptyFolder() {
  const workspace = useWorkspace()
  const commandTable = workspace.use(commandTableSlice)
  const upload = commandTable.get('upload.files')
  const makers = [commandTable.get('newDir'), commandTable.get('newFile')]
  const emptySpace = { onContextMenu: (event: MouseEvent) => showMenu(workspace, undefined, event) }
  const mayFill = isAllowed(workspace, upload)
  return (
    <div className="pane" {...emptySpace}>
      <Empty art="bag" title={t('listing.emptyTitle')} text={t(mayFill ? 'listing.emptyText' : 'listing.emptyTextReader')}>
        {mayFill && <Start command={upload} label={t('listing.upload')} isPrimary />}
        {makers
          .filter((maker) => isAllowed(workspace, maker))
          .map((command) => (
            <Start key={command.id} command={command} label={t(command.label)} />
          ))}
      </Empty>
    </div>
  )
})

function Start({ command, label, isPrimary = false }: { command: Command; label: string; isPrimary?: boolean }) {
  const workspace = useWorkspace()
  const kind = isPrimary ? 'primary' : 'plain'
  return <Button kind={kind} icon={command.icon} label={label} onClick={() => void run(workspace, command)} />
}

/** Shows the sorting and opens the menu for it, where no column headers are shown. */
const SortButton = view(function SortButton(props: ComponentProps<'button'>) {
  const listing = useSlice(listingSlice)
  const { by, asc } = listing.sorting.value
  const column = t(`listing.${by}`)
  return (
    <button
      {...props}
      type="button"
      className="button button-quiet button-small sort-button"
      title={t('listing.sort', { column })}
    >
      <Icon name={asc ? 'sort-ascending-2' : 'sort-descending-2'} />
      <span className="label">{column}</span>
    </button>
  )
})
