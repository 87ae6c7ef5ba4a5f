import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'linear',
  label: 'Linear',
  side: 'destination',
  info: 'Insights as issues',
})
