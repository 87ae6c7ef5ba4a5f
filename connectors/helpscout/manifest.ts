import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'helpscout',
  label: 'Help Scout',
  side: 'source',
  info: 'Feedback from mailbox conversations',
})
