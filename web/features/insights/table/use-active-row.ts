import type { Insight } from '@groundswell/contract/insights.ts'
import { useCallback, useRef, useState } from 'react'
import { useRowKeys } from './use-row-keys.ts'

type ActiveRowOptions = {
  rows: readonly Insight[]
  /** The number of the open insight: the keys continue from it, and open the next one while it is open. */
  issue: number | null
  setIssue: (issue: number | null) => void
  onSearch: () => void
  /** Called for Escape while no insight is open. */
  onEscape: () => void
}

/** The keyboard's active row by its index in the list, -1 for none; `leaveRow` clears it. */
export function useActiveRow({ rows, issue, setIssue, onSearch, onEscape }: ActiveRowOptions) {
  const [active, setActive] = useState(-1)
  const latest = useRef(-1)
  const activate = useCallback((index: number) => {
    latest.current = index
    setActive(index)
  }, [])
  const leaveRow = useCallback(() => activate(-1), [activate])
  const onMove = useCallback(
    (step: 1 | -1) => {
      const current = latest.current < 0 ? rows.findIndex((one) => one.issue_number === issue) : latest.current
      const next = Math.min(rows.length - 1, Math.max(0, current + step))
      activate(next)
      const insight = rows[next]
      if (issue !== null && insight) setIssue(insight.issue_number)
    },
    [rows, issue, setIssue, activate],
  )
  const escape = useCallback(() => {
    if (issue === null) onEscape()
  }, [issue, onEscape])
  useRowKeys({ onMove, onSearch, onEscape: escape })
  return { active, leaveRow }
}
