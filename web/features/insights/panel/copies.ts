import type { Copies, InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { useState } from 'react'

/** The mentions without copies that are folded, and after which of them a set of copies is opened or folded. */
export function useCopies(mentions: readonly Mention[], copies: InsightDetail['copies']) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const folded = foldCopies(mentions, copies ?? [], opened)
  const toggle = (copied: Copies) => {
    const [key = ''] = copied.mentions
    setOpened(opened.has(key) ? new Set([...opened].filter((one) => one !== key)) : new Set([...opened, key]))
  }
  return { ...folded, toggle }
}

/** `opened`: the first mentions of the sets that are open. */
export function foldCopies(mentions: readonly Mention[], copies: readonly Copies[], opened: ReadonlySet<string>) {
  const setOf = new Map(copies.flatMap((one) => one.mentions.map((id) => [id, one] as const)))
  const after = new Map<string, { copied: Copies; isOpen: boolean }>()
  const seen = new Set<Copies>()
  const shown = mentions.filter(({ id }) => {
    const copied = id === undefined ? undefined : setOf.get(id)
    if (copied === undefined || id === undefined) return true
    const isOpen = opened.has(copied.mentions[0] ?? '')
    const isFirst = !seen.has(copied)
    seen.add(copied)
    if (isFirst) after.set(id, { copied, isOpen })
    return isFirst || isOpen
  })
  return { shown, after }
}
