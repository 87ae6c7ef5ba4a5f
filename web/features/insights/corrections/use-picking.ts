import type { Mention } from '@groundswell/contract/insights.ts'
import { type KeyboardEvent, useRef } from 'react'
import { idsBetween, PICKED_AT_MOST, withPicks } from './pick.ts'
import type { Correcting, PickDraft } from './use-correcting.ts'

/** A mention that corrections can name. */
export type NamedMention = Mention & { id: string }

/** Mentions that can be picked, by id. */
export type Picks = {
  chosen: readonly string[]
  /** What is picked and still in the list. */
  picked: readonly NamedMention[]
  all: readonly NamedMention[]
  pick: (id: string, on: boolean, range: boolean) => void
  pickAll: () => void
  pickNone: () => void
  /** ↑ and ↓ go from box to box; with Shift they pick on the way. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** Mentions being picked in the evidence list. */
export type Picking = Picks & { draft: PickDraft }

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
const NONE: readonly string[] = []

/** Picking in a list of mentions. A range begins where a box was last ticked or cleared. */
export function usePicks(
  mentions: readonly Mention[],
  chosen: readonly string[],
  onChosen: (chosen: readonly string[]) => void,
): Picks {
  const anchor = useRef<string | null>(null)
  const set = (ids: readonly string[]) => onChosen(ids.slice(0, PICKED_AT_MOST))
  const all = mentions.filter(isNamed)
  const ids = all.map((one) => one.id)
  const there = new Set(chosen)
  return {
    chosen,
    picked: all.filter((one) => there.has(one.id)),
    all,
    pick: (id, on, range) => {
      set(withPicks(chosen, range ? idsBetween(ids, anchor.current, id) : [id], on))
      anchor.current = id
    },
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
      set(withPicks(chosen, [here, there], true))
      anchor.current = there
    },
  }
}

/** Null while no mentions are being picked. */
export function usePicking(mentions: readonly Mention[], correcting: Correcting | null): Picking | null {
  const draft = correcting?.draft?.what === 'pick' ? correcting.draft : null
  const picks = usePicks(mentions, draft?.chosen ?? NONE, (chosen) => {
    if (draft) correcting?.setDraft({ ...draft, chosen })
  })
  return draft && { draft, ...picks }
}

export function isNamed(mention: Mention): mention is NamedMention {
  return mention.id !== undefined
}
