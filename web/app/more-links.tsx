import { usePublicConfig } from '../features/operations/index.ts'
import { ViewList } from '../features/views/index.ts'
import { SideLink } from '../ui/side-link.tsx'
import { MORE_PLACES } from './places.ts'

type MoreLinksProps = { collapsed: boolean; onNavigate?: (() => void) | undefined }

/** Below the first links of the sidebar: further screens and the saved views. A server that has none of these shows nothing. */
export function MoreLinks({ collapsed, onNavigate }: MoreLinksProps) {
  if (!usePublicConfig()) return null
  return (
    <>
      {MORE_PLACES.map((place) => (
        <SideLink key={place.to} {...place} collapsed={collapsed} onNavigate={onNavigate} />
      ))}
      {collapsed ? null : <ViewList onNavigate={onNavigate} />}
    </>
  )
}
