import type { Correction } from '@groundswell/contract/corrections.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Progress } from '../../../ui/progress.tsx'
import { INSIGHTS } from '../insight-queries.ts'
import { wordsFor } from './correction-words.ts'
import { refreshListed } from './refresh-listed.ts'

type CorrectionProgressProps = { waiting: Correction; followed: boolean }

/**
 * Shown while a correction waits for the next grouping; refetches everything once none does. The sender of a correction from
 * here (`followed`) refetches instead, in an order that requests nothing that has ended.
 */
export function CorrectionProgress({ waiting, followed }: CorrectionProgressProps) {
  const client = useQueryClient()
  const others = useRef(!followed)
  useEffect(() => {
    others.current = !followed
  }, [followed])
  useEffect(
    () => () => {
      if (!others.current) return
      void client.invalidateQueries({ queryKey: INSIGHTS }).then(() => refreshListed(client))
    },
    [client],
  )
  const { doing } = wordsFor(waiting)
  return (
    <div role="status" className="flex flex-col gap-1">
      <p className="text-small text-muted">{doing} It will be applied within seconds.</p>
      <Progress label={doing} value={0} total={null} />
    </div>
  )
}
