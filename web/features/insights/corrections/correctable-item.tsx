import type { Insight } from '@groundswell/contract/insights.ts'
import { Ban, CornerUpRight, Ellipsis, Info } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { EvidenceItem } from '../panel/evidence-item.tsx'
import { TickBox } from './tick-box.tsx'
import type { Correcting } from './use-correcting.ts'
import type { NamedMention, Picking } from './use-picking.ts'

const WhyHere = lazyPart(async () => (await import('./why-here.tsx')).WhyHere, {
  waiting: () => <div className="skeleton mt-2 h-24" />,
})

type CorrectableItemProps = {
  insight: Insight
  mention: NamedMention
  /** Null until it is known that mentions can be corrected here. */
  correcting: Correcting | null
  /** While mentions are being selected it has a checkbox instead of its menu. */
  picking: Picking | null
  /** Whether its source is shown. */
  withSource: boolean
}

/**
 * A mention with its corrections: move it, mark it as not this, and see why it is here. The same item before they are there, so that what a
 * person has opened in it stays open.
 */
export function CorrectableItem({ insight, mention, correcting, picking, withSource }: CorrectableItemProps) {
  const [why, setWhy] = useState(false)
  const correctable = correcting !== null
  const menu = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const item = menu.current?.closest('li')
    return () => {
      // Moved away while focused: the focus stays where it was in the list.
      if (item?.contains(document.activeElement)) neighbour(item)?.focus({ preventScroll: true })
    }
  }, [correctable])
  const authorName = mention.author || 'Unknown author'
  return (
    <EvidenceItem
      mention={mention}
      issueNumber={insight.issue_number}
      kindChoice
      withSource={withSource}
      tick={picking ? <TickBox mention={mention} picks={picking} /> : null}
      tools={
        picking ? (
          <span className="size-6" />
        ) : correcting ? (
          <Menu
            entries={[
              {
                label: 'Move to…',
                Icon: CornerUpRight,
                onSelect: () => correcting.setDraft({ what: 'move', mention }),
              },
              {
                label: 'Not this',
                Icon: Ban,
                onSelect: () => void correcting.correct({ kind: 'reject', mentions: [mention.id] }),
              },
              { label: 'Why here?', Icon: Info, leads: true, onSelect: () => setWhy(true) },
            ]}
            trigger={
              <IconButton
                ref={menu}
                label={`Correct what ${authorName} said`}
                className="size-6!"
                data-keeps-panel
                data-corrects
              >
                <Ellipsis size={14} aria-hidden />
              </IconButton>
            }
          />
        ) : null
      }
    >
      {why ? (
        <WhyHere
          issueNumber={insight.issue_number}
          mentionId={mention.id}
          text={mention.text}
          onClose={() => {
            setWhy(false)
            menu.current?.focus()
          }}
        />
      ) : null}
    </EvidenceItem>
  )
}

/** Where the focus goes when this mention leaves the list: to the menu of the next one, of the previous one after the last, or to the heading. */
function neighbour(item: Element): HTMLElement | null | undefined {
  const menus = [...(item.closest('ol')?.querySelectorAll<HTMLElement>('[data-corrects]') ?? [])]
  const own = menus.findIndex((one) => item.contains(one))
  return menus[own + 1] ?? menus[own - 1] ?? item.closest('section')?.querySelector('h3')
}
