import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'slack',
  label: 'Slack',
  side: 'source',
  info: 'Feedback from the channels you choose',
  userData: (name) => ({ slack_data: { access_token: null, team: { name } } }),
})
