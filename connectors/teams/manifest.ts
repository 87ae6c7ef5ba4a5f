import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'teams',
  label: 'Microsoft Teams',
  side: 'source',
  info: 'Feedback from channels and their replies',
})
