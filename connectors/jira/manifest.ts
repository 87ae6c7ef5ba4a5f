import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'jira',
  label: 'Jira',
  side: 'destination',
  info: 'Insights as issues of a project',
})
