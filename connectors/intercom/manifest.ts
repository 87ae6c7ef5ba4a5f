import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'intercom',
  label: 'Intercom',
  side: 'source',
  info: 'Feedback from conversations',
})
