import type { Insight } from '@groundswell/contract/insights.ts'
import { Ellipsis, Send, Trash2 } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../../ui/menu.tsx'

type RowMenuProps = {
  insight: Insight
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/** The actions of one insight: Push while its status is created, Delete always. */
export function RowMenu({ insight, onPush, onDelete }: RowMenuProps) {
  const push: MenuEntry = { label: 'Push', Icon: Send, onSelect: () => onPush(insight) }
  const remove: MenuEntry = { label: 'Delete', Icon: Trash2, danger: true, onSelect: () => onDelete(insight) }
  return (
    <Menu
      entries={insight.status === 'created' ? [push, remove] : [remove]}
      trigger={
        <IconButton label={`Actions for ${insight.issue_name}`} data-keeps-panel>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
