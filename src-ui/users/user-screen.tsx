import { useEffect, useMemo, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { Loading, useLoaded } from '../core/loaded.tsx'
import { address, go } from '../core/location.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useProof } from '../core/proof.ts'
import { renew } from '../core/session.ts'
import { useUnsavedForm } from '../core/unsaved-form.ts'
import { useSaving } from '../core/use-saving.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useRefusedFocus } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { type FieldProblems, problemsOf } from './problems.ts'
import { changeUser, createUser, draftOnTop, isSameUser, readDefaults, readUser, type UserAttempts } from './user-calls.ts'
import { draftOf, type UserDraft } from './user-draft.ts'
import { UserForm } from './user-form.tsx'

/** The page of one user. Its address decides whether the user is new. */
export const UserScreen = view(function UserScreen() {
  const id = idOf(address.value.pathname)
  // Another user has another form.
  return <LoadedUser key={id ?? 'new'} id={id} />
})

/** The id at the end of the address; undefined for a new user. */
const idOf = (pathname: string): number | undefined => {
  const last = pathname.split('/').at(-1) ?? ''
  return last === 'new' ? undefined : Number(last)
}

function LoadedUser({ id }: { id: number | undefined }) {
  const ownId = useWorkspace().user.value?.id ?? 0
  const load = useMemo(() => (signal: AbortSignal) => readPage(id, ownId, signal), [id, ownId])
  const loaded = useLoaded(load)
  const { failure } = loaded
  // As the specification asks: whoever cannot be read leads to the form for a new user.
  const isMissing = id !== undefined && failure instanceof HttpFailure && (failure.status === 404 || failure.status === 400)
  useEffect(() => {
    if (isMissing) go('/settings/users/new', { replace: true })
  }, [isMissing])
  return isMissing ? null : (
    <Loading loaded={loaded} isPage>
      {({ user, mayChoose }) => <UserPage id={id} start={draftOf(user)} mayChoose={mayChoose} />}
    </Loading>
  )
}

/** The user, and whether the folder picker, which shows one's own files, begins at the served root as scopes do. */
async function readPage(id: number | undefined, ownId: number, signal: AbortSignal) {
  const [user, own] = await Promise.all([id === undefined ? readDefaults(signal) : readUser(id, signal), readUser(ownId, signal)])
  return { user, mayChoose: own.scope === '/' }
}

type PageProps = { id: number | undefined; start: UserDraft; mayChoose: boolean }

const UserPage = view(function UserPage({ id, start, mayChoose }: PageProps) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<FieldProblems>({})
  const inForm = useRefusedFocus<HTMLInputElement>(problems)
  const { isBusy, save } = useSaving()
  const sendWithProof = useProof()
  const [attempts] = useState<UserAttempts>({})
  const [stored, setStored] = useState(start)
  const release = useUnsavedForm(!isSameUser(draft, stored))
  const isSelf = id === workspace.user.value?.id

  /** Shows what is stored now, with what was typed since the form was sent. */
  const show = async (id: number) => {
    // It is saved, whether it can be read or not.
    const now = await readUser(id).catch(() => undefined)
    setStored(now ? draftOf(now) : { ...draft, password: '' })
    setDraft((typed) => (now ? draftOnTop(typed, draft, now) : { ...typed, password: '' }))
  }
  const submit = () => {
    setProblems({})
    return save({
      work: async () => {
        if (id === undefined) {
          const address = await sendWithProof((password) => createUser(draft, attempts, password))
          release()
          return go(address, { replace: true })
        }
        await sendWithProof((password) => changeUser(id, draft, stored, password), isSelf && draft.password !== '')
        if (isSelf) await renew()
        await show(id)
      },
      done: () => t(id === undefined ? 'users.created' : 'users.updated'),
      failed: t(id === undefined ? 'users.notCreated' : 'users.notUpdated'),
      onFailure: (failure) => {
        const found = problemsOf(failure, draft.rules)
        setProblems(found ?? {})
        return found !== undefined
      },
    })
  }

  return (
    <>
      <div className="page-head">
        <IconButton className="page-back" icon="arrow-left" label={t('users.back')} onClick={() => go('/settings/users')} />
        <h1 className="page-title">
          {id === undefined ? t('title.userNew') : t('users.named', { username: isolate(stored.username) })}
        </h1>
        {id !== undefined && !isSelf && (
          <Button
            className="button-danger-quiet"
            icon="trash"
            label={t('action.delete')}
            onClick={() => overlays.open({ kind: 'deleteUser', id, username: stored.username, onDeleted: release })}
          />
        )}
        <Button kind="primary" busy={isBusy} label={t('users.save')} onClick={() => void submit()} />
      </div>
      <div className="settings">
        <Card label={t('title.userEdit')} onSubmit={() => void submit()}>
          <UserForm draft={draft} onDraft={setDraft} isNew={id === undefined} mayChoose={mayChoose} problems={problems} />
          {/* Enter in a field submits the form; the visible button is in the title. */}
          <input type="submit" hidden ref={inForm} />
        </Card>
      </div>
    </>
  )
})
