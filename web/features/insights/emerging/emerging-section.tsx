import type { EmergingInsight } from '@groundswell/contract/insights/emerging.ts'
import { useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { useMayEdit } from '../../accounts/index.ts'
import * as corrections from '../corrections/correction-actions.ts'
import { AnswerList } from '../suggestions/answer-list.tsx'
import { dismiss } from './emerging-actions.ts'
import { EmergingItem } from './emerging-item.tsx'
import { useEmerging } from './emerging-query.ts'

/** Below the table: groups with too little evidence for an insight yet. Each can be kept as one, or dismissed. */
export function EmergingSection() {
  const client = useQueryClient()
  const mayEdit = useMayEdit()
  const emerging = useEmerging()
  const [open, setOpen] = useState(false)
  /** Being kept or dismissed: hidden until the list is current again. */
  const [answered, setAnswered] = useState<ReadonlySet<number>>(new Set())
  const shown = emerging?.insights?.filter((one) => !answered.has(one.emerging_id)) ?? []
  if (!emerging || shown.length === 0) return null

  const hidden = async (one: EmergingInsight, send: () => Promise<unknown>) => {
    setAnswered((ids) => new Set([...ids, one.emerging_id]))
    await send()
    setAnswered((ids) => new Set([...ids].filter((id) => id !== one.emerging_id)))
  }
  const keep = (one: EmergingInsight) => void hidden(one, () => corrections.keep(client, one.emerging_id))
  const reject = (one: EmergingInsight) => void hidden(one, () => dismiss(client, one))
  const total = emerging.total - (emerging.insights.length - shown.length)
  return (
    <section aria-labelledby="emerging" className="shrink-0 border-t border-line bg-surface">
      <h2 id="emerging">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex w-full flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2.5 text-left hover:bg-hover md:px-6"
        >
          {open ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
          <span className="font-semibold">Emerging</span>
          <span className="text-muted tabular-nums">{total}</span>
          <span className={clsx('text-small text-muted sm:inline', open ? 'max-sm:basis-full' : 'hidden')}>
            Similar, with too little evidence for an insight yet. Never pushed.
          </span>
        </button>
      </h2>
      {open ? (
        <AnswerList
          className="max-h-[40vh] overflow-y-auto border-t border-line px-4 md:px-6"
          items={shown}
          keyOf={(one) => one.emerging_id}
          onAccept={(one) => mayEdit && keep(one)}
          onReject={(one) => mayEdit && reject(one)}
        >
          {(one) => <EmergingItem emerging={one} onKeep={() => keep(one)} onDismiss={() => reject(one)} />}
        </AnswerList>
      ) : null}
    </section>
  )
}
