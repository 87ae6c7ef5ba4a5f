import type { FeedbackKind } from '@groundswell/contract/feedback-kind.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleHelp, Lightbulb, type LucideIcon, MessageCircle, RotateCcw, ThumbsUp } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Menu, type MenuEntry } from '../../../ui/menu.tsx'
import { setKind } from './kind-actions.ts'
import { KindBadge } from './kind-badge.tsx'
import { KINDS, wordsOfKind } from './kind-words.ts'

const KEY = 'k'
const TYPED_INTO = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]'

const ICONS: Readonly<Record<FeedbackKind, LucideIcon>> = {
  problem: CircleAlert,
  request: Lightbulb,
  question: CircleHelp,
  praise: ThumbsUp,
  'small talk': MessageCircle,
}

/** The kind of a mention as a button that opens the choice of another: 1 to 5, and 0 to leave it to the engine again. */
export function KindMark({ mention }: { mention: Mention & { id: string } }) {
  const client = useQueryClient()
  const { id, kind } = mention
  const choose = (next: FeedbackKind | null) => () => void setKind(client, id, next)
  const entries: MenuEntry[] = KINDS.map((one, place) => ({
    label: wordsOfKind(one).label,
    Icon: ICONS[one],
    shortcut: String(place + 1),
    onSelect: choose(one),
  }))
  if (mention.kind_set_by === 'person') {
    entries.push(
      { kind: 'line' },
      { label: 'Decide automatically', Icon: RotateCcw, shortcut: '0', onSelect: choose(null) },
    )
  }
  return (
    <Menu
      align="start"
      entries={entries}
      trigger={
        <button
          type="button"
          data-kind
          data-keeps-panel
          aria-keyshortcuts={KEY}
          title="Change the kind (K)"
          className="-my-1 inline-flex h-6 items-center rounded-small hover:brightness-95"
        >
          <span className="sr-only">Kind: </span>
          {kind === undefined ? <Badge>Unknown</Badge> : <KindBadge kind={kind} />}
        </button>
      }
    />
  )
}

/** K opens the choice of kinds of the mention that has the focus. For the element that contains its `KindMark`. */
export function onKindKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== KEY || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
  if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return
  const trigger = event.currentTarget.querySelector<HTMLElement>('[data-kind]')
  if (!trigger) return
  event.preventDefault()
  trigger.focus()
  // The key that opens any menu.
  trigger.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
}
