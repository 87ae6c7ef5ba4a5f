import { type Changes, describe, needsRename, type State } from '@groundswell/engine/index.ts'
import type { StepResult } from './protocol.ts'

/** How many mentions each issue of a state has, as far as this thread has added them, and had when it was last described. */
export class Descriptions {
  readonly #described = new Map<number, number>()
  readonly #mentions = new Map<number, number>()

  /** Names and summaries of the issues that are new to this thread, were restructured, or have grown enough for another name. */
  of(state: State, touched: ReadonlyMap<number, number>, changes: Changes): StepResult['descriptions'] {
    const { gone, reshaped } = reshapedBy(changes)
    const descriptions: StepResult['descriptions'] = []
    for (const [issueId, gained] of touched) {
      if (gone.has(issueId)) {
        this.#described.delete(issueId)
        continue
      }
      const mentions = (this.#mentions.get(issueId) ?? 0) + gained
      this.#mentions.set(issueId, mentions)
      const describedMentions = this.#described.get(issueId)
      if (!needsRename({ mentions, describedMentions, reshaped: reshaped.has(issueId) })) continue
      this.#described.set(issueId, mentions)
      const { name, confident, summary, hash } = describe(state, issueId)
      descriptions.push({ issueId, name, confident, summary, hash })
    }
    return descriptions
  }
}

function reshapedBy({ events, moves }: Changes): { gone: Set<number>; reshaped: Set<number> } {
  const gone = new Set<number>()
  const reshaped = new Set<number>()
  for (const event of events) {
    if (event.kind === 'ended' || event.kind === 'merged') gone.add(event.issueId)
    else reshaped.add(event.issueId)
    if (event.kind === 'merged') reshaped.add(event.into)
    if (event.kind === 'split') for (const issueId of event.into) reshaped.add(issueId)
  }
  for (const move of moves) {
    if (move.to) reshaped.add(move.to)
    if (move.from) reshaped.add(move.from)
  }
  return { gone, reshaped }
}
