import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'zendesk',
  label: 'Zendesk',
  side: 'source',
  info: 'Feedback from tickets and their comments',
})
