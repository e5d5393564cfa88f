import type { User } from '../../src-server/contract/users.ts'
import { baseURL } from '../api/page-config.ts'
import { Loading, useLoaded } from '../core/loaded.tsx'
import { go } from '../core/location.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Cell, Row, Table, TableBody } from '../ui/table.tsx'
import { view } from '../ui/view.tsx'
import { initialsOf } from './initials.ts'
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
        <Loading loaded={loaded}>{(users) => <Users users={users} />}</Loading>
      </div>
    </>
  )
})

function Users({ users }: { users: readonly User[] }) {
  return (
    <Table
      className="table"
      columns={[
        { title: t('login.username') },
        { title: t('users.role') },
        { title: t('users.scope'), className: 'table-extra' },
        { title: t('users.edit'), hidden: true },
      ]}
    >
      <TableBody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} />
        ))}
      </TableBody>
    </Table>
  )
}

const UserRow = view(function UserRow({ user: { id, username, perm, scope } }: { user: User }) {
  const { user } = useWorkspace()
  return (
    <Row>
      <Cell>
        <span className="object">
          <span className="avatar" aria-hidden="true">
            {initialsOf(username)}
          </span>
          <bdi>{username}</bdi>
          {id === user.value?.id && <span className="tag tag-accent">{t('users.you')}</span>}
        </span>
      </Cell>
      <Cell>
        {perm.admin ? (
          <span className="tag">
            <Icon name="shield-check" small />
            {t('users.admin')}
          </span>
        ) : (
          <span className="muted">{t('users.plain')}</span>
        )}
      </Cell>
      <Cell className="table-extra">
        <span className="code muted" dir="ltr">
          {scope}
        </span>
      </Cell>
      <Cell>
        <a
          className="button button-small"
          href={`${baseURL}/settings/users/${id}`}
          aria-label={t('users.editNamed', { username })}
        >
          <span className="label">{t('users.edit')}</span>
        </a>
      </Cell>
    </Row>
  )
})
