import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'github',
  label: 'GitHub',
  side: 'destination',
  info: 'Insights as issues of a repository',
})
