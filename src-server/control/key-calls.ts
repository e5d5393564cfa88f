import { newKey } from '../state/new-state.ts'
import { asOperator, type OperatorServices } from './operator-services.ts'

export const keyCalls = {
  /** @returns how many sessions have ended */
  'keys.rotate': ({ state, events }: OperatorServices, _input: object): Promise<{ sessions: number }> =>
    events.around({ kind: 'serverSettings', fields: ['keys'], ...asOperator }, () => state.run('rotateKeys', { key: newKey() })),
}
