import type { User } from '../../src-server/contract/users.ts'
import { baseURL } from '../api/page-config.ts'
import { go } from '../core/location.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { initialsOf } from './initials.ts'
import { Loading } from './loading.tsx'
import { useLoaded } from './use-loaded.ts'
import { listUsers } from './user-calls.ts'

/** The list of users. */
export const UsersScreen = view(function UsersScreen() {
  const loaded = useLoaded(listUsers)
  return (
    <>
      <div className="page-head">
        <h1 className="page-title">{t('users.title')}</h1>
        <Button kind="primary" icon="plus" label={t('menu.new')} onClick={() => go('/settings/users/new')} />
      </div>
      <div className="settings">
        <Loading loaded={loaded}>{(users) => <Table users={users} />}</Loading>
      </div>
    </>
  )
})

function Table({ users }: { users: readonly User[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t('login.username')}</th>
          <th scope="col">{t('users.role')}</th>
          <th scope="col" className="table-extra">
            {t('users.scope')}
          </th>
          <th scope="col">
            <span className="visually-hidden">{t('users.edit')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <Row key={user.id} user={user} />
        ))}
      </tbody>
    </table>
  )
}

const Row = view(function Row({ user: { id, username, perm, scope } }: { user: User }) {
  const { user } = useWorkspace()
  return (
    <tr>
      <td>
        <span className="who">
          <span className="avatar" aria-hidden="true">
            {initialsOf(username)}
          </span>
          <bdi>{username}</bdi>
          {id === user.value?.id && <span className="tag tag-accent">{t('users.you')}</span>}
        </span>
      </td>
      <td>
        {perm.admin ? (
          <span className="tag">
            <Icon name="shield-check" small />
            {t('users.admin')}
          </span>
        ) : (
          <span className="muted">{t('users.plain')}</span>
        )}
      </td>
      <td className="table-extra">
        <span className="code muted" dir="ltr">
          {scope}
        </span>
      </td>
      <td>
        <a
          className="button button-small"
          href={`${baseURL}/settings/users/${id}`}
          aria-label={t('users.editNamed', { username })}
        >
          <span className="label">{t('users.edit')}</span>
        </a>
      </td>
    </tr>
  )
})
