import type { Mention } from '@groundswell/contract/insights.ts'
import { type KeyboardEvent, useRef } from 'react'
import { idsBetween, MAX_PICKED, withPicks } from './pick.ts'
import type { Correcting, PickDraft } from './use-correcting.ts'

/** A mention with an id, which corrections need. */
export type NamedMention = Mention & { id: string }

/** The selectable mentions by id. */
export type Picks = {
  chosen: readonly string[]
  /** The selected mentions that are still in the list. */
  picked: readonly NamedMention[]
  all: readonly NamedMention[]
  pick: (id: string, on: boolean, range: boolean) => void
  pickAll: () => void
  pickNone: () => void
  /** ↑ and ↓ move between checkboxes; with Shift they select. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** Selection in the evidence list. */
export type Picking = Picks & { draft: PickDraft }

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
const NONE: readonly string[] = []

/** Selection in a list of mentions. A range starts at the last changed checkbox. */
export function usePicks(
  mentions: readonly Mention[],
  chosen: readonly string[],
  onChosen: (chosen: readonly string[]) => void,
): Picks {
  const anchor = useRef<string | null>(null)
  const set = (ids: readonly string[]) => onChosen(ids.slice(0, MAX_PICKED))
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

/** Null while no mentions are being selected. */
export function usePicking(mentions: readonly Mention[], correcting: Correcting | null): Picking | null {
  const draft = correcting?.draft?.what === 'pick' ? correcting.draft : null
  const picks = usePicks(mentions, draft?.chosen ?? NONE, (chosen) => {
    if (draft) correcting?.setDraft({ ...draft, chosen })
  })
  return draft && { draft, ...picks }
}

/** Whether a mention has an id, by which it can be picked. */
export function isNamed(mention: Mention): mention is NamedMention {
  return mention.id !== undefined
}
