import { encodePath } from '../api/addresses.ts'
import type { Refused } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { isolate, type Key, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { view } from '../ui/view.tsx'
import type { Gone } from './entry-view.ts'
import { isSystemRefusal, saidBy } from './failure-reason.ts'
import { filePath, go } from './location.ts'
import { nameOf, normalizePath } from './paths.ts'
import { askToSignIn, logout } from './session.ts'
import { useWorkspace } from './use-workspace.ts'

type Props = Omit<Refused, 'message'> & {
  /** The server's text or the requested address, shown for support. */
  code?: string | undefined
  onRetry?: (() => void) | undefined
  /** 1, unless it is shown inside a page that has a heading. */
  headingLevel?: 1 | 2
  /** It was shown until it vanished. */
  gone?: Gone | undefined
}

/** 403, 404, and everything else, as a page of its own or in place of a folder. */
export const ErrorView = view(function ErrorView(props: Props) {
  const { status, code, reason, refusal, onRetry, gone, headingLevel = 1 } = props
  if (isSystemRefusal({ refusal })) return <SystemRefusal {...{ code, onRetry, headingLevel }} />
  if (status === 401) return <SignedOut headingLevel={headingLevel} />
  if (status === 403) return <Forbidden code={code} reason={reason && saidBy({ refusal, reason, message: reason })} />
  if (gone?.to !== undefined) return <Moved to={gone.to} />
  if (status === 404) return <NotFound code={code} isGone={gone !== undefined} />
  return <Internal {...{ status, code, onRetry, headingLevel }} />
})

type Level = { headingLevel: 1 | 2 }

const goHome = () => go('/files/')
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** The session has ended, and the sign-in was put off. */
function SignedOut({ headingLevel }: Level) {
  return (
    <Empty headingLevel={headingLevel} art="locked" title={t('signIn.title')} text={t('error.signedOutText')}>
      <Button kind="primary" icon="login-2" label={t('login.submit')} onClick={askToSignIn} />
    </Empty>
  )
}

const Forbidden = view(function Forbidden({ code, reason }: Pick<Props, 'code'> & { reason: string | undefined }) {
  const workspace = useWorkspace()
  // Rules refuse without a reason, so that the answer does not reveal what they hide.
  // Without anything for support it is the page to which people who are no administrators are led.
  const text = reason ?? t(code ? 'error.forbiddenText' : 'error.forbiddenAdmin')
  return (
    <Empty headingLevel={1} art="locked" title={t('error.forbidden')} text={text} code={code}>
      <Button kind="primary" icon="folder" label={t('sidebar.myFiles')} onClick={goHome} />
      {workspace.user.value && pageConfig.AuthMethod === 'json' && (
        <Button label={t('error.loginAsOther')} onClick={() => void logout(() => go('/login', { isForced: true }))} />
      )}
    </Empty>
  )
})

/** The operating system denies the server access. */
function SystemRefusal({ code, onRetry, headingLevel }: Pick<Props, 'code' | 'onRetry'> & Level) {
  return (
    <Empty
      headingLevel={headingLevel}
      art="locked"
      title={t('error.systemRefused')}
      text={t('error.systemRefusedText')}
      code={code}
    >
      <Actions onRetry={onRetry} />
    </Empty>
  )
}

/** The folder was moved while it was open. */
function Moved({ to }: { to: string }) {
  const folder = parentOf(to)
  const params = { name: isolate(nameOf(to)), folder: folder === '/' ? t('sidebar.myFiles') : isolate(nameOf(folder)) }
  return (
    <Empty headingLevel={1} art="torn" title={t('live.movedTitle')} text={t('live.movedText', params)}>
      <Button
        kind="primary"
        icon="folder"
        label={t('error.openParent', params)}
        onClick={() => go(`/files${encodePath(to)}/`, { replace: true })}
      />
      <Button label={t('sidebar.myFiles')} onClick={goHome} />
    </Empty>
  )
}

const NotFound = view(function NotFound({ code, isGone }: { code: string | undefined; isGone: boolean }) {
  const parent = parentOf(normalizePath(filePath.value))
  const isDeep = parent !== '/'
  const title = t(isGone ? 'live.goneTitle' : 'error.notFound')
  const text = t(isGone ? 'live.goneText' : 'error.notFoundText')
  return (
    <Empty headingLevel={1} art="torn" title={title} text={text} code={isGone ? undefined : code}>
      {isDeep && (
        <Button
          kind="primary"
          icon="folder-up"
          label={t('error.openParent', { name: isolate(nameOf(parent)) })}
          onClick={() => go(`/files${encodePath(parent)}/`)}
        />
      )}
      <Button
        kind={isDeep ? 'plain' : 'primary'}
        icon={isDeep ? undefined : 'folder'}
        label={t('sidebar.myFiles')}
        onClick={goHome}
      />
    </Empty>
  )
})

function Internal({ status, code, onRetry, headingLevel }: Pick<Props, 'status' | 'code' | 'onRetry'> & Level) {
  const [title, text] = internal(status)
  return (
    <Empty
      headingLevel={headingLevel}
      art="split"
      title={t(title)}
      text={t(text)}
      code={title === 'error.internal' ? code : undefined}
    >
      <Actions onRetry={onRetry} />
    </Empty>
  )
}

function internal(status: number): [title: Key, text: Key] {
  if (status === 0) return ['error.unreachable', 'error.unreachableText']
  return status === 429 || status === 503 ? ['error.busy', 'error.busyText'] : ['error.internal', 'error.internalText']
}

function Actions({ onRetry }: Pick<Props, 'onRetry'>) {
  return (
    <>
      {onRetry && <Button kind="primary" icon="refresh" label={t('action.retry')} onClick={onRetry} />}
      <Button
        kind={onRetry ? 'plain' : 'primary'}
        icon={onRetry ? undefined : 'folder'}
        label={t('sidebar.myFiles')}
        onClick={goHome}
      />
    </>
  )
}
