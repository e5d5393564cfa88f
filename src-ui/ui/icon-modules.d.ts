declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { IconX } from '@tabler/icons-react'

  const icon: typeof IconX
  export default icon
}
