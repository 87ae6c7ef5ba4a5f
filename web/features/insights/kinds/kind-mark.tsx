import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleHelp, Lightbulb, type LucideIcon, MessageCircle, RotateCcw, ThumbsUp } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx'
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

/**
 * The kind of a mention as a button that opens the choice of another. Without opening it, 1 to 5 choose one, and 0 leaves it to the
 * engine again.
 */
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
  const onKey = (event: KeyboardEvent) => {
    if (isForAnother(event)) return
    const chosen = entries.find((entry) => 'shortcut' in entry && entry.shortcut === event.key)
    if (!chosen || !('onSelect' in chosen)) return
    event.preventDefault()
    chosen.onSelect()
  }
  return (
    <span className="contents" onKeyDown={onKey}>
      <Menu
        align="start"
        entries={entries}
        trigger={
          <button
            type="button"
            data-kind
            data-keeps-panel
            aria-keyshortcuts={`${KEY} ${KINDS.map((_, place) => place + 1).join(' ')}`}
            title="Change the kind (K, or 1 to 5)"
            className="-my-1 inline-flex h-6 items-center rounded-small hover:brightness-95"
          >
            <span className="sr-only">Kind: </span>
            {kind === undefined ? <Badge>Unknown</Badge> : <KindBadge kind={kind} />}
          </button>
        }
      />
    </span>
  )
}

const isForAnother = (event: KeyboardEvent): boolean =>
  event.metaKey ||
  event.ctrlKey ||
  event.altKey ||
  event.defaultPrevented ||
  (event.target instanceof Element && event.target.closest(TYPED_INTO) !== null)

/**
 * For the element that contains a `KindMark`: K opens the choice of kinds of the mention that has the focus, and 1 to 5 set its kind.
 */
export function onKindKey(event: KeyboardEvent<HTMLElement>): void {
  if (isForAnother(event) || !(event.key === KEY || /^[0-5]$/.test(event.key))) return
  const trigger = event.currentTarget.querySelector<HTMLElement>('[data-kind]')
  if (!trigger) return
  event.preventDefault()
  // The key that opens any menu.
  const key = event.key === KEY ? 'ArrowDown' : event.key
  if (event.key === KEY) trigger.focus()
  // A number that the trigger itself has had means nothing.
  else if (event.target === trigger) return
  trigger.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
