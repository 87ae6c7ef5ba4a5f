import type { Insight } from '@groundswell/contract/insights.ts'
import { Layers, Send, Trash2 } from 'lucide-react'
import type { MenuEntry, MenuProps } from '../../../ui/overlays/menu.tsx'
import { MenuPopup } from '../../../ui/overlays/menu-popup.tsx'

/** The insight of the row, and what its menu can do with it. */
export type RowMenuPopupProps = Pick<MenuProps, 'trigger'> & {
  insight: Insight
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
  /** Where the table is grouped by theme. */
  onMoveToTheme?: ((insight: Insight) => void) | undefined
}

/** The menu of `RowMenu`. */
export function RowMenuPopup({ insight, onPush, onDelete, onMoveToTheme, trigger }: RowMenuPopupProps) {
  const push: MenuEntry = { label: 'Push', Icon: Send, onSelect: () => onPush(insight) }
  const remove: MenuEntry = { label: 'Delete', Icon: Trash2, danger: true, onSelect: () => onDelete(insight) }
  const move: MenuEntry[] = onMoveToTheme
    ? [{ label: 'Move to theme…', Icon: Layers, onSelect: () => onMoveToTheme(insight) }]
    : []
  return (
    <MenuPopup trigger={trigger} entries={insight.status === 'created' ? [push, ...move, remove] : [...move, remove]} />
  )
}
