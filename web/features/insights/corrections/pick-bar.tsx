import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ChangeList } from './change-list.tsx'
import { previewText } from './correction-words.ts'
import { usePreview } from './corrections-query.ts'
import { MAX_PICKED } from './pick.ts'
import { TargetDialog } from './target-dialog.tsx'
import type { Correcting } from './use-correcting.ts'
import type { Picking } from './use-picking.ts'

type PickBarProps = {
  insight: Insight
  insights: readonly Insight[]
  picking: Picking
  correcting: Correcting
}

const ACTIONS = { split: 'Move to a new insight', reject: 'Remove from this insight' } as const

/** While mentions are being selected: how many are, the possible corrections, their preview, and the button to apply one. */
export function PickBar({ insight, insights, picking, correcting }: PickBarProps) {
  const { draft, picked, all, pickAll, pickNone } = picking
  const { correct, setDraft, busy } = correcting
  const here = insight.issue_number
  const total = mentionCount(insight)
  const ids = picked.map((one) => one.id)
  const tooMany = draft.aim === 'split' && picked.length >= total
  const aim = draft.aim === 'move' ? null : draft.aim
  const body: CorrectionRequest | null =
    aim !== null && ids.length > 0 && !tooMany ? { kind: aim, mentions: ids } : null
  const preview = usePreview(here, body)
  const known = body !== null && preview.data !== undefined && !preview.isError
  const ready = known && !preview.isPlaceholderData
  const box = useRef<HTMLElement>(null)
  const act = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (ready && document.activeElement === box.current) act.current?.focus()
  }, [ready])
  /** The pressed button disappears: the focus moves to the bar. */
  const turnTo = (next: typeof draft.aim) => {
    if (next !== 'move') box.current?.focus()
    setDraft({ ...draft, chosen: ids, aim: next })
  }
  const send = async (what: CorrectionRequest) => {
    if (await correct(what)) setDraft(null)
  }
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Selected mentions"
      className="sticky -bottom-4 z-1 -mx-5 flex flex-col gap-2 border-t border-line bg-raised px-5 py-2.5"
    >
      <div className="flex min-h-6 items-start gap-2">
        <p role="status" className="min-w-0 flex-1 py-0.5">
          {known ? (
            previewText(body, here, preview.data)
          ) : tooMany ? (
            'Leave at least one mention here.'
          ) : ids.length > 0 ? (
            `${ids.length} of ${total} selected${ids.length >= MAX_PICKED ? ' (the maximum)' : ''}.`
          ) : aim === 'split' ? (
            'Select the mentions that are about something else.'
          ) : (
            <>
              Select mentions.<span className="max-md:hidden"> Hold Shift to select a range.</span>
            </>
          )}
        </p>
        {ids.length < all.length ? (
          <TextButton onClick={pickAll}>{all.length < total ? `All ${all.length} shown` : `All ${total}`}</TextButton>
        ) : null}
        {ids.length > 0 ? <TextButton onClick={pickNone}>None</TextButton> : null}
        <IconButton label="Stop selecting" className="-mr-1.5 size-6!" onClick={() => setDraft(null)}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {known ? <ChangeList changes={preview.data} /> : null}
      {preview.isError ? (
        <p role="alert" className="text-bad">
          {preview.error.message}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {aim === null ? (
          <>
            <Button disabled={ids.length === 0 || busy} onClick={() => turnTo('move')}>
              Move to…
            </Button>
            <Button disabled={ids.length === 0 || busy} onClick={() => turnTo('split')}>
              Split off…
            </Button>
            <Button disabled={ids.length === 0 || busy} onClick={() => turnTo('reject')}>
              Not this…
            </Button>
          </>
        ) : (
          <>
            <Button
              ref={act}
              look="primary"
              busy={busy}
              disabled={!ready}
              onClick={() => {
                if (body) void send(body)
              }}
            >
              {ACTIONS[aim]}
            </Button>
            <Button disabled={busy} onClick={() => turnTo(null)}>
              Back
            </Button>
          </>
        )}
      </div>
      {draft.aim === 'move' ? (
        <TargetDialog
          insight={insight}
          insights={insights}
          moved={picked}
          onClose={() => setDraft({ ...draft, aim: null })}
          onDo={(what) => {
            setDraft({ ...draft, aim: null })
            void send(what)
          }}
        />
      ) : null}
    </section>
  )
}

function TextButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="h-6 shrink-0 rounded-small px-1 text-small text-accent hover:underline"
    >
      {children}
    </button>
  )
}
