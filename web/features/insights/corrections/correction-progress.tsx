import type { Correction } from '@groundswell/contract/corrections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Progress } from '../../../ui/progress.tsx'
import { DETAIL } from '../detail-query.ts'
import { EVIDENCE } from '../evidence-query.ts'
import { INSIGHTS } from '../insight-queries.ts'
import { wordsFor } from './correction-words.ts'

/** Shown while a correction waits for the next grouping; asks for everything anew once none does. */
export function CorrectionProgress({ waiting }: { waiting: Correction }) {
  const client = useQueryClient()
  useEffect(
    () => () => {
      for (const key of [INSIGHTS, [DETAIL], [EVIDENCE]]) void client.invalidateQueries({ queryKey: key })
    },
    [client],
  )
  const { doing } = wordsFor(waiting)
  return (
    <div role="status" className="flex flex-col gap-1">
      <p className="text-small text-muted">{doing} The next grouping carries it out, in seconds.</p>
      <Progress label={doing} value={0} total={null} />
    </div>
  )
}
