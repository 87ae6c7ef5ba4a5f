import type { Mention } from '@groundswell/contract/insights.ts'
import { type KeyboardEvent, useCallback, useRef } from 'react'
import { idsBetween, PICKED_AT_MOST, withPicks } from './pick.ts'
import type { Correcting, PickDraft } from './use-correcting.ts'

/** A mention that corrections can name. */
export type NamedMention = Mention & { id: string }

/** Mentions being picked in the evidence list. */
export type Picking = {
  draft: PickDraft
  /** What is picked and still in the list. */
  picked: readonly NamedMention[]
  all: readonly NamedMention[]
  pick: (id: string, on: boolean, range: boolean) => void
  pickAll: () => void
  pickNone: () => void
  /** ↑ and ↓ go from box to box; with Shift they pick on the way. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Null while no mentions are being picked. A range begins where a box was last ticked or cleared. */
export function usePicking(mentions: readonly Mention[], correcting: Correcting | null): Picking | null {
  const anchor = useRef<string | null>(null)
  const draft = correcting?.draft?.what === 'pick' ? correcting.draft : null
  const setDraft = correcting?.setDraft
  const set = useCallback(
    (chosen: readonly string[]) => {
      if (draft) setDraft?.({ ...draft, chosen: chosen.slice(0, PICKED_AT_MOST) })
    },
    [draft, setDraft],
  )
  if (!draft) return null
  const all = mentions.filter(isNamed)
  const ids = all.map((one) => one.id)
  const there = new Set(draft.chosen)
  const pick = (id: string, on: boolean, range: boolean) => {
    set(withPicks(draft.chosen, range ? idsBetween(ids, anchor.current, id) : [id], on))
    anchor.current = id
  }
  return {
    draft,
    picked: all.filter((one) => there.has(one.id)),
    all,
    pick,
    pickAll: () => set(ids),
    pickNone: () => set([]),
    onKeyDown: (event) => {
      const step = STEPS[event.key]
      if (step === undefined || !(event.target instanceof HTMLInputElement)) return
      event.preventDefault()
      const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
      const at = boxes.indexOf(event.target)
      const next = boxes[at + step]
      const [here, there] = [ids[at], ids[at + step]]
      if (!next || here === undefined || there === undefined) return
      next.focus()
      if (!event.shiftKey) return
      set(withPicks(draft.chosen, [here, there], true))
      anchor.current = there
    },
  }
}

export function isNamed(mention: Mention): mention is NamedMention {
  return mention.id !== undefined
}
