import { Ellipsis } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { lazyMenu } from '../../../ui/overlays/menu.tsx'
import type { RowMenuPopupProps } from './row-menu-popup.tsx'

const RowMenuPopup = lazyMenu<RowMenuPopupProps>(async () => (await import('./row-menu-popup.tsx')).RowMenuPopup)

/** The actions of one insight: Push while its status is created, Delete always. */
export function RowMenu(props: Omit<RowMenuPopupProps, 'trigger'>) {
  return (
    <RowMenuPopup
      {...props}
      trigger={
        <IconButton label={`Actions for ${props.insight.issue_name}`} data-keeps-panel data-edits>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
