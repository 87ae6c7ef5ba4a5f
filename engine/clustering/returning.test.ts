import { describe, expect, test } from 'vitest'
import { forget, issues } from '../corrections/remove.ts'
import { deserialize, serialize } from '../state/serialize.ts'
import { createState, MAX_EXEMPLARS, type State } from '../state/state.ts'
import { prepare } from '../text/prepare.ts'
import { assign } from './assign.ts'
import { revise } from './revise.ts'

const VERBS = ['fails', 'stops', 'hangs', 'crashes', 'breaks']
const PLACES = [
  'Lisbon',
  'Porto',
  'Faro',
  'Braga',
  'Evora',
  'Sintra',
  'Aveiro',
  'Coimbra',
  'Setubal',
  'Guarda',
  'Leiria',
]

/** Other subjects, so that the words of the one below are rare. */
const OTHERS = Array.from({ length: 200 }, (_, n) => ({
  id: `o${n}`,
  text: `${['calendar', 'invoice', 'password', 'barcode', 'photo'][n % 5]} ${String.fromCharCode(97 + (n % 26))}${n} question`,
  at: n,
}))

/** One subject in more wordings than an issue keeps for comparison. */
const WORDINGS = Array.from({ length: 55 }, (_, n) => ({
  id: `m${n}`,
  text: `spreadsheet export for ${PLACES[n % 11]} ${VERBS[n % 5]} halfway`,
  at: n,
}))

function grouped(): State {
  const state = createState()
  assign(state, OTHERS.flatMap(prepare))
  assign(state, WORDINGS.flatMap(prepare))
  revise(state)
  return state
}

const all = WORDINGS.map(({ id }) => `${id}:0`)

describe('messages of a crowded issue that are deleted and come back', () => {
  test('are grouped again, also before the next revision', () => {
    const state = grouped()
    expect(issues(state).some(({ mentions }) => mentions > MAX_EXEMPLARS)).toBe(true)
    forget(state, all)
    expect(all.some((id) => state.statementIndex.has(id))).toBe(false)
    const { decisions } = assign(state, WORDINGS.flatMap(prepare))
    expect(decisions.map(({ statementId }) => statementId)).toEqual(all)
    expect(all.every((id) => state.statementIndex.has(id))).toBe(true)
    revise(state)
    expect(all.every((id) => state.statementIndex.has(id))).toBe(true)
  })

  test('are grouped again after the state was stored in between', () => {
    const state = grouped()
    forget(state, all)
    const restored = deserialize(serialize(state))
    const again = (of: State) => assign(of, WORDINGS.flatMap(prepare)).decisions
    expect(again(restored)).toEqual(again(state))
    expect(serialize(restored)).toEqual(serialize(state))
  })

  test('find each other by their words at once', () => {
    const state = grouped()
    forget(state, all)
    const [first, second] = ['one', 'two'].map((id) => ({ ...WORDINGS[3], id, text: WORDINGS[3]?.text ?? '', at: 0 }))
    assign(state, prepare(first as (typeof WORDINGS)[number]))
    expect(assign(state, prepare(second as (typeof WORDINGS)[number])).decisions[0]).toMatchObject({
      kind: 'pending',
      reason: 'same words',
      score: 1,
    })
  })
})
