import { describe, expect, test } from 'vitest'
import { issues } from '../corrections/remove.ts'
import { REASON_CLEARER } from '../state/recorder.ts'
import { createState, getOrCreateIssue, placeNode, type State } from '../state/state.ts'
import { prepare } from '../text/prepare.ts'
import { assign } from './assign.ts'
import { CLEAR_GAIN, keepSettled } from './keep-settled.ts'
import type { Community } from './lineage.ts'
import { seededRandom } from './random.ts'
import { revise } from './revise.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'

type Link = [from: number, to: number, score: number]

const pairsOf = (links: readonly Link[]): Pairs => ({
  from: Int32Array.from(links, ([from]) => from),
  to: Int32Array.from(links, ([, to]) => to),
  scores: Float32Array.from(links, ([, , score]) => score),
})

/** Places 0 to 3 were in issue 1, 4 to 6 in issue 2, 7 in none. */
const issueAt = (place: number) => [1, 1, 1, 1, 2, 2, 2, 0][place] as number
const LEAST = 0.5

function kept(communities: Community[], links: readonly Link[], loose: readonly number[] = []) {
  const left = new Map(loose.map((place) => [place, 0]))
  keepSettled(communities, left, pairsOf(links), {
    issueAt,
    isSettled: (place) => issueAt(place) === 1,
    least: () => LEAST,
    lasts: ({ issue, places }) => issue > 0 || places.length > 1,
  })
  const found = communities
    .filter(({ places }) => places.length > 0)
    .map(({ places, issue }) => `${issue}: ${places.join()}`)
  return { communities: found, loose: [...left.keys()] }
}

const exchanged = (): Community[] => [
  { places: [0, 1, 2], issue: 1 },
  { places: [3, 4, 5, 6], issue: 2 },
]
const toRest = (score: number): Link[] => [0, 1, 2].map((place) => [place, 3, score])
const toOthers = (score: number): Link[] => [4, 5, 6].map((place) => [3, place, score])

test('whether a member goes from one issue to another is left to the rule for all issues', () => {
  expect(kept(exchanged(), [...toRest(0.6), ...toOthers(0.6)]).communities).toEqual(['1: 0,1,2', '2: 3,4,5,6'])
})

test('a settled issue that another one took stays as it was, unless its members are clearly nearer to that', () => {
  const taken = (): Community[] => [{ places: [0, 1, 2, 3, 4, 5, 6], issue: 2 }]
  const fellows: Link[] = [...toRest(0.6), [0, 1, 0.6], [0, 2, 0.6], [1, 2, 0.6]]
  const across = (score: number): Link[] => [0, 1, 2, 3].flatMap((one) => [4, 5, 6].map((at): Link => [one, at, score]))
  expect(kept(taken(), [...fellows, ...across(0.6)]).communities).toEqual(['2: 4,5,6', '1: 0,1,2,3'])
  expect(kept(taken(), [...fellows, ...across(0.8)]).communities).toEqual(['2: 0,1,2,3,4,5,6'])
})

test('a settled issue is split only where its parts are clearly nearer to themselves', () => {
  const halves = (): Community[] => [
    { places: [0, 1], issue: 1 },
    { places: [2, 3], issue: 0 },
  ]
  const between = (score: number): Link[] => [0, 1].flatMap((one) => [2, 3].map((other): Link => [one, other, score]))
  expect(kept(halves(), [[2, 3, 0.7], ...between(0.66)]).communities).toEqual(['1: 0,1,2,3'])
  expect(kept(halves(), [[2, 3, 0.7], ...between(0.5)]).communities).toEqual(['1: 0,1', '0: 2,3'])
})

test('a member of a settled issue that nothing else takes leaves it only when it is clearly below what a member needs', () => {
  const rest = (): Community[] => [{ places: [0, 1, 2], issue: 1 }]
  expect(kept(rest(), toRest(0.46), [3])).toEqual({ communities: ['1: 0,1,2,3'], loose: [] })
  expect(kept(rest(), toRest(0.35), [3])).toEqual({ communities: ['1: 0,1,2'], loose: [3] })
})

test('a member whose new group would be it alone goes nowhere', () => {
  const alone = (): Community[] => [
    { places: [0, 1, 2], issue: 1 },
    { places: [3], issue: 0 },
  ]
  expect(kept(alone(), toRest(0.46)).communities).toEqual(['1: 0,1,2,3'])
})

test('in random communities, what was split off a settled issue, or taken with all of it, is clearly nearer to where it went', () => {
  const random = seededRandom(7)
  for (let run = 0; run < 200; run++) {
    const size = 24
    const own = Array.from({ length: size }, () => Math.floor(random() * 4))
    const scores = Array.from({ length: size }, () => Array.from({ length: size }, () => random()))
    const links = own.flatMap((_, to) =>
      own.slice(0, to).map((__, from): Link => [from, to, Math.fround(scores[from]?.[to] as number)]),
    )
    const between = (a: number, b: number) => Math.fround(scores[Math.min(a, b)]?.[Math.max(a, b)] as number)
    const communities: Community[] = [1, 2, 3, 0].map((issue) => ({ places: [], issue }))
    own.forEach((_, place) => {
      ;(communities[Math.floor(random() * 4)] as Community).places.push(place)
    })
    keepSettled(communities, new Map(), pairsOf(links), {
      issueAt: (place) => own[place] as number,
      isSettled: (place) => own[place] === 1 || own[place] === 2,
      least: () => LEAST,
      lasts: ({ issue, places }) => issue > 0 || places.length > 1,
    })
    expect(communities.flatMap(({ places }) => places).sort((a, b) => a - b)).toEqual(own.map((_, place) => place))
    const nearness = (place: number, others: readonly number[]) => {
      const nearest = others
        .filter((other) => other !== place)
        .map((other) => between(place, other))
        .sort((a, b) => b - a)
        .slice(0, 4)
      return nearest.reduce((sum, score) => sum + score, 0) / Math.max(1, nearest.length)
    }
    const members = (issue: number) => own.flatMap((one, at) => (one === issue ? [at] : []))
    for (const { places, issue } of communities) {
      for (const place of places.filter((one) => [1, 2].includes(own[one] as number) && own[one] !== issue)) {
        const isOthers = places.some((one) => own[one] !== own[place])
        const continues = communities.some((one) => one.issue === own[place] && one.places.length > 0)
        if ((continues && isOthers) || (issue === 0 && places.length < 2)) continue
        const all = members(own[place] as number)
        const stay = all.filter((one) => !places.includes(one))
        const here = nearness(place, continues && stay.length > 0 ? stay : all)
        const there = nearness(place, isOthers ? places.filter((one) => own[one] !== own[place]) : places)
        expect(there - here).toBeGreaterThanOrEqual(CLEAR_GAIN - 1e-6)
      }
    }
  }
})

describe('a revision', () => {
  const OTHERS = Array.from({ length: 200 }, (_, n) => ({
    id: `o${n}`,
    text: `${['calendar', 'invoice', 'password', 'barcode', 'photo'][n % 5]} ${String.fromCharCode(97 + (n % 26))}${n} question`,
    at: n,
  }))
  const EXPORTS = Array.from({ length: 12 }, (_, n) => ({
    id: `m${n}`,
    text: `spreadsheet export for ${['Lisbon', 'Porto', 'Faro'][n % 3]} ${['fails', 'stops', 'hangs', 'crashes'][n % 4]} halfway`,
    at: n,
  }))
  const LOGINS = Array.from({ length: 12 }, (_, n) => ({
    id: `l${n}`,
    text: `single sign-on ${['refuses', 'rejects', 'forgets'][n % 3]} our ${['Okta', 'Azure', 'Google', 'Keycloak'][n % 4]} accounts`,
    at: n,
  }))

  const issueOf = (state: State, id: string) => {
    const at = state.statementIndex.get(`${id}:0`) as number
    return state.nodes[state.statementNodes[at] as number]?.issue
  }
  const put = (state: State, ids: readonly string[], issue: number) => {
    getOrCreateIssue(state, issue)
    for (const id of ids) {
      const at = state.statementIndex.get(`${id}:0`) as number
      placeNode(state, state.statementNodes[at] as number, issue)
    }
  }
  function grouped(): { state: State; exports: number; logins: number } {
    const state = createState()
    assign(state, [...OTHERS, ...EXPORTS, ...LOGINS].flatMap(prepare))
    revise(state)
    const [exports, logins] = [issueOf(state, 'm0') as number, issueOf(state, 'l0') as number]
    expect(EXPORTS.every(({ id }) => issueOf(state, id) === exports)).toBe(true)
    expect(LOGINS.every(({ id }) => issueOf(state, id) === logins)).toBe(true)
    return { state, exports, logins }
  }

  test.each([
    ['makes one of two issues that say the same', false],
    ['leaves them two when people settled both', true],
  ])('%s', (_, isSettled) => {
    const { state, exports } = grouped()
    const other = state.nextIssue
    put(
      state,
      EXPORTS.slice(7).map(({ id }) => id),
      other,
    )
    revise(state, { settled: new Set(isSettled ? [exports, other] : []) })
    expect(new Set(EXPORTS.map(({ id }) => issueOf(state, id))).size).toBe(isSettled ? 2 : 1)
  })

  test('takes out of a settled issue what clearly belongs to another one, and says so', () => {
    const { state, exports, logins } = grouped()
    put(state, ['m5'], logins)
    const { moves } = revise(state, { settled: new Set([logins]) })
    expect(issueOf(state, 'm5')).toBe(exports)
    expect(moves.filter(({ from }) => from === logins)).toMatchObject([
      { statementId: 'm5:0', to: exports, reason: REASON_CLEARER },
    ])
    expect([...issues(state)].find(({ issueId }) => issueId === logins)?.mentions).toBe(LOGINS.length)
  })
})
