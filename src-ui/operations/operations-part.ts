// What lazy-operations.ts loads, with its words: the overlays, which bring them too, may come later.
import 'holdall:words/later'

export { rename } from './rename.ts'
export { transfer } from './transfer.ts'
