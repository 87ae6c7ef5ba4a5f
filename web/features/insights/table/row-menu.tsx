import type { Insight } from '@groundswell/contract/insights.ts'
import { Ellipsis, Layers, Send, Trash2 } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../../ui/menu.tsx'

type RowMenuProps = {
  insight: Insight
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
  /** Where the table is grouped by theme. */
  onMoveToTheme?: ((insight: Insight) => void) | undefined
}

/** The actions of one insight: Push while its status is created, Delete always. */
export function RowMenu({ insight, onPush, onDelete, onMoveToTheme }: RowMenuProps) {
  const push: MenuEntry = { label: 'Push', Icon: Send, onSelect: () => onPush(insight) }
  const remove: MenuEntry = { label: 'Delete', Icon: Trash2, danger: true, onSelect: () => onDelete(insight) }
  const move: MenuEntry[] = onMoveToTheme
    ? [{ label: 'Move to theme…', Icon: Layers, onSelect: () => onMoveToTheme(insight) }]
    : []
  return (
    <Menu
      entries={insight.status === 'created' ? [push, ...move, remove] : [...move, remove]}
      trigger={
        <IconButton label={`Actions for ${insight.issue_name}`} data-keeps-panel>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
