import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/loading/lazy-part.tsx'
import { MAX_PICKED } from '../corrections/pick.ts'
import { useInsights } from '../insight-queries.ts'
import type { Gathering } from './use-gathering.ts'

const AddDialog = lazyDialog(async () => (await import('./add-dialog.tsx')).AddDialog)

type GatherBarProps = {
  gathering: Gathering
  /** The number of the insight to find mentions for. */
  into: number | null
  onNone: () => void
  /** Sorts the list by similarity to the selection; null when it already is. */
  onCompare: (() => void) | null
  /** Gets the focus when the bar disappears. */
  after: RefObject<HTMLElement | null>
}

/** The number of selected mentions, and the actions for them. */
export function GatherBar({ gathering, into, onNone, onCompare, after }: GatherBarProps) {
  const { ticked, busy, makeInsight, addTo } = gathering
  const insights = useInsights().data
  const [adds, setAdds] = useState(false)
  const hint = useId()
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const [box, next] = [bar.current, after.current]
    return () => {
      const has = document.activeElement
      // A pressed button that is disabled has already lost the focus.
      if (has === document.body || box?.contains(has)) next?.focus()
    }
  }, [after])
  const target = insights?.find((one) => one.issue_number === into)
  const messages = new Set(ticked.map(({ id }) => id.split(':')[0])).size
  return (
    <section
      ref={bar}
      aria-label="Selected mentions"
      className="sticky bottom-0 z-1 -mx-4 mt-3 -mb-12 flex flex-wrap items-center gap-2 border-y border-line bg-raised px-4 py-2.5 md:mx-0 md:border-x"
    >
      <p role="status" className="tabular-nums">
        {ticked.length} selected{ticked.length < MAX_PICKED ? '' : ' (the maximum)'}
      </p>
      <button
        type="button"
        disabled={busy}
        onClick={onNone}
        className="h-6 shrink-0 rounded-small px-1 text-small text-accent hover:underline"
      >
        None
      </button>
      <span className="flex flex-wrap items-center gap-2">
        {target ? (
          <Button look="primary" busy={busy} title={target.issue_name} onClick={() => void addTo(target.issue_number)}>
            Add to #{target.issue_number}
          </Button>
        ) : null}
        <Button
          look={target ? 'secondary' : 'primary'}
          busy={busy && !target}
          disabled={busy || messages < 2}
          aria-describedby={messages < 2 && !target ? hint : undefined}
          onClick={() => void makeInsight()}
        >
          Create an insight
        </Button>
        <Button disabled={busy || !insights?.length} onClick={() => setAdds(true)}>
          Add to an insight…
        </Button>
        <Button disabled={busy || onCompare === null} onClick={() => onCompare?.()}>
          Most similar first
        </Button>
      </span>
      {messages < 2 && !target ? (
        <p id={hint} className="text-small text-muted">
          Select at least two messages.
        </p>
      ) : null}
      {adds && insights ? (
        <AddDialog
          mentions={ticked}
          insights={insights}
          onClose={() => setAdds(false)}
          onAdd={(issueNumber) => {
            setAdds(false)
            void addTo(issueNumber)
          }}
        />
      ) : null}
    </section>
  )
}
