import type { Insight, Mention } from '@groundswell/contract/insights.ts'
import { Ban, CornerUpRight, Ellipsis, Info } from 'lucide-react'
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { EvidenceItem } from '../evidence-item.tsx'
import type { Correcting } from './use-correcting.ts'

const WhyHere = lazy(async () => ({ default: (await import('./why-here.tsx')).WhyHere }))

type CorrectableItemProps = { insight: Insight; mention: Mention & { id: string }; correcting: Correcting }

/** A mention with what can be said of it: that it belongs elsewhere, that it is not this, and why it is here. */
export function CorrectableItem({ insight, mention, correcting }: CorrectableItemProps) {
  const { draft, setDraft, correct } = correcting
  const [why, setWhy] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const item = menu.current?.closest('li')
    return () => {
      // Moved away with the focus in it: the focus stays in the list.
      if (item?.contains(document.activeElement)) item.closest('section')?.querySelector('h3')?.focus()
    }
  }, [])
  const splitting = draft?.what === 'split' ? draft : null
  const said = mention.author || 'Unknown author'
  return (
    <EvidenceItem
      mention={mention}
      tick={
        splitting ? (
          <input
            type="checkbox"
            aria-label={`${said}: ${mention.text}`}
            checked={splitting.chosen.includes(mention.id)}
            onChange={(event) =>
              setDraft({
                what: 'split',
                chosen: event.target.checked
                  ? [...splitting.chosen, mention.id]
                  : splitting.chosen.filter((id) => id !== mention.id),
              })
            }
            className="size-3.5 accent-(--accent)"
          />
        ) : null
      }
      tools={
        splitting ? (
          <span className="size-6" />
        ) : (
          <Menu
            entries={[
              { label: 'Move to…', Icon: CornerUpRight, onSelect: () => setDraft({ what: 'move', mention }) },
              {
                label: 'Not this',
                Icon: Ban,
                onSelect: () => void correct({ kind: 'reject', mentions: [mention.id] }),
              },
              { label: 'Why here?', Icon: Info, leads: true, onSelect: () => setWhy(true) },
            ]}
            trigger={
              <IconButton ref={menu} label={`Correct what ${said} said`} className="size-6!" data-keeps-panel>
                <Ellipsis size={14} aria-hidden />
              </IconButton>
            }
          />
        )
      }
    >
      {why ? (
        <Suspense fallback={<div className="skeleton mt-2 h-24" />}>
          <WhyHere
            issueNumber={insight.issue_number}
            mentionId={mention.id}
            onClose={() => {
              setWhy(false)
              menu.current?.focus()
            }}
          />
        </Suspense>
      ) : null}
    </EvidenceItem>
  )
}
