// The server as it is started again on what the one before has left.
import { join } from 'node:path'
import { stop } from '../../src-server/listening.ts'
import { type AppSetup, startApp, type TestApp } from './start-app.ts'

/** Ends a server and starts another on its folders, with its clock. @param how.between called while none runs */
export async function restartApp(
  app: TestApp,
  { services = {}, between = () => {} }: Pick<AppSetup, 'services'> & { between?: () => void } = {},
): Promise<TestApp> {
  await stop(app.parts.app, 1000)
  await app.parts.close()
  between()
  const next = await startApp(
    { after: app.beforeClose },
    {
      users: {},
      services: { clock: app.clock, ...services },
      options: { root: app.root, database: join(app.folder, 'state.json') },
    },
  )
  return { ...next, root: app.root, folder: app.folder, clock: app.clock, beforeClose: app.beforeClose }
}
