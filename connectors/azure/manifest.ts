import type { Manifest } from '../connector.ts'
import { comingSoon } from '../kit/coming-soon.ts'

export const manifest: Manifest = comingSoon({
  id: 'azure',
  label: 'Azure DevOps',
  side: 'destination',
  info: 'Insights as work items',
  userData: (name) => ({ azure_data: { name } }),
  unconnected: { azure_data: null },
})
