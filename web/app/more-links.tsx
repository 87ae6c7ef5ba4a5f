import { Building2, ChartColumn } from 'lucide-react'
import { usePublicConfig } from '../features/operations/index.ts'
import { ViewList } from '../features/views/index.ts'
import { SideLink } from '../ui/side-link.tsx'

type MoreLinksProps = { collapsed: boolean; onNavigate?: (() => void) | undefined }

/** Below the first links of the sidebar: the customers, the reports and the saved views. A server that has none of these shows nothing. */
export function MoreLinks({ collapsed, onNavigate }: MoreLinksProps) {
  if (!usePublicConfig()) return null
  return (
    <>
      <SideLink to="/customers" label="Customers" Icon={Building2} collapsed={collapsed} onNavigate={onNavigate} />
      <SideLink to="/reports" label="Reports" Icon={ChartColumn} collapsed={collapsed} onNavigate={onNavigate} />
      {collapsed ? null : <ViewList onNavigate={onNavigate} />}
    </>
  )
}
