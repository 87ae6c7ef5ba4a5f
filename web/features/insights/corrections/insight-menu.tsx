import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { Ellipsis, Eye, Link2, Lock, LockOpen, Merge, Pencil, Split, Users } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx'
import type { Correcting } from './use-correcting.ts'

type InsightMenuProps = {
  insight: Insight
  locked: boolean
  correcting: Correcting
  onPreview: () => void
  onWhoAsked: () => void
  onShare: () => void
}

/** The corrections of a whole insight, the preview of a push, the people in it, and read-only links. */
export function InsightMenu({ insight, locked, correcting, onPreview, onWhoAsked, onShare }: InsightMenuProps) {
  const { setDraft, correct } = correcting
  const entries: MenuEntry[] = [
    { label: 'Merge into…', Icon: Merge, onSelect: () => setDraft({ what: 'merge' }) },
    {
      label: 'Split…',
      Icon: Split,
      leads: true,
      onSelect: () => setDraft({ what: 'pick', chosen: [], aim: 'split' }),
    },
    { label: 'Rename', Icon: Pencil, leads: true, onSelect: () => setDraft({ what: 'rename' }) },
    {
      label: locked ? 'Unlock' : 'Lock',
      Icon: locked ? LockOpen : Lock,
      onSelect: () => void correct({ kind: 'lock', locked: !locked }),
    },
    { label: 'Preview', Icon: Eye, onSelect: onPreview },
    { label: 'Who asked', Icon: Users, leads: true, onSelect: onWhoAsked },
    { label: 'Share…', Icon: Link2, onSelect: onShare },
  ]
  return (
    <Menu
      entries={mentionCount(insight) > 1 ? entries : entries.filter((entry) => entry !== entries[1])}
      trigger={
        <IconButton label="Correct this insight" data-keeps-panel>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
