import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'clickup',
  label: 'ClickUp',
  side: 'destination',
  info: 'Insights as tasks',
})
