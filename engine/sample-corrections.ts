import {
  assign,
  type Correction,
  deserialize,
  issues,
  prepare,
  type Rule,
  type RuledStatement,
  revise,
  type State,
  type Statement,
  serialize,
} from './index.ts'
import { SAMPLE } from './sample-feedback.ts'

/** The statements of one more message. */
export function say(text: string, id: string): Statement[] {
  return prepare({ id, text, at: 9e6 })
}

/** Goes on for a while: more of everything, stored, loaded and revised. */
export function live(state: State, rounds = 5): State {
  let living = state
  for (let round = 0; round < rounds; round++) {
    SAMPLE.forEach(({ text }, n) => assign(living, say(`${text} ${round}`, `r${round}x${n}`)))
    living = deserialize(serialize(living))
    revise(living)
  }
  return living
}

/** The statements that an issue holds. */
export function heldBy(state: State, issueId: number): string[] {
  return issues(state).find((issue) => issue.issueId === issueId)?.statementIds ?? []
}

/** The issue that holds a statement; 0: none. */
export function issueWith(state: State, statementId: string): number {
  return issues(state).find((issue) => issue.statementIds.includes(statementId))?.issueId ?? 0
}

const ruleOf = (state: State, statementId: string): Rule => state.rules.get(statementId) ?? { pin: -1, bans: [] }
const pinned = (statementId: string, issueId: number): RuledStatement => ({
  statementId,
  issueId,
  pin: issueId,
  bans: [],
})

/** What a caller says when a person merges two issues. */
export function merging(state: State, from: number, into: number): Correction {
  const all = [...heldBy(state, from), ...heldBy(state, into)]
  return { statements: all.map((id) => pinned(id, into)), merges: [{ from, into }] }
}

/** When a person moves mentions, 0: to no issue. `textOf` is what they say. */
export function moving(ids: string[], to: number, textOf: (id: string) => string | undefined): Correction {
  return { statements: ids.map((id) => ({ ...pinned(id, to), text: textOf(id) })) }
}

/** When a person makes mentions of one issue another one, of this number. */
export function splitting(
  state: State,
  ids: string[],
  from: number,
  number: number,
  textOf: (id: string) => string | undefined,
): Correction {
  const rest = heldBy(state, from).filter((id) => !ids.includes(id))
  return { statements: [...moving(ids, number, textOf).statements, ...rest.map((id) => pinned(id, from))] }
}

/** When a person says that mentions are not this issue. */
export function rejecting(
  state: State,
  ids: string[],
  from: number,
  textOf: (id: string) => string | undefined,
): Correction {
  return {
    statements: ids.map((id) => {
      const { pin, bans } = ruleOf(state, id)
      const stays = issueWith(state, id) !== from
      return {
        statementId: id,
        issueId: stays ? issueWith(state, id) : 0,
        pin: pin === from ? -1 : pin,
        bans: [...new Set([...bans, from])],
        text: textOf(id),
      }
    }),
  }
}
