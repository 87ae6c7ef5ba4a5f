import {
  heldBy,
  issueWith,
  keepReceiving,
  merging,
  moving,
  rejecting,
  say,
  splitting,
} from '@groundswell/fixtures/engine/corrections.ts'
import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { encodedState, tellings, vectorsOf } from '@groundswell/fixtures/engine/sentences.ts'
import { expect, describe as suite, test } from 'vitest'
import {
  assign,
  correct,
  createState,
  describe,
  deserialize,
  forget,
  issues,
  loadConstraints,
  prepare,
  reclassify,
  replay,
  revise,
  type State,
  serialize,
  statementsWithoutVector,
} from '../index.ts'

const textOf = (id: string) => SAMPLE.find((item) => id === `${item.id}:0`)?.text

function built(): State {
  const state = createState({ seed: 7 })
  assign(state, SAMPLE.flatMap(prepare))
  revise(state)
  return state
}

suite('a correction', () => {
  test('moves a statement permanently, and only that one', () => {
    const state = built()
    const [from, to] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
    const { moves, events } = correct(state, moving(['m0:0'], to, textOf))
    expect(moves).toEqual([{ statementId: 'm0:0', from, to, score: 1, reason: 'decided by a person' }])
    expect(events).toEqual([])
    expect(issueWith(keepReceiving(state), 'm0:0')).toBe(to)
  })

  test('moves one of several identical statements out of its group', () => {
    const state = built()
    assign(state, say('csv export fails for LARGE reports!', 'twin'))
    expect(issueWith(state, 'twin:0')).toBe(issueWith(state, 'm0:0'))
    const to = issueWith(state, 'm1:0')
    expect(correct(state, moving(['m0:0'], to, textOf)).moves).toHaveLength(1)
    expect(issueWith(state, 'twin:0')).not.toBe(to)
    assign(state, say('CSV export: fails for large reports', 'later'))
    expect(issueWith(state, 'later:0')).toBe(to)
  })

  test.for([
    ['the same words', 'See you at the call on Monday!'],
    ['nearly the same words', 'See you at the call on Monday, then'],
  ])('leaves small talk small talk, with its vector, where others said %s', ([, text = '']) => {
    const state = encodedState()
    const vector = Float32Array.from(vectorsOf(tellings(['phone'], 1)).at(0)?.vector ?? [])
    const [first, second] = [say('See you at the call on Monday', 'b'), say(text, 'a')]
    assign(
      state,
      [...first, ...second].map((one) => ({ ...one, vector })),
    )
    reclassify(state, [{ statementId: 'b:0', subjectless: true }])
    expect(state.nodes[0]?.followers).toEqual([0, 1])
    const only = (bans: number[]) => ({
      statements: [{ statementId: 'a:0', issueId: 0, pin: -1, bans, text }],
    })
    correct(state, only([9]))
    correct(state, only([]))
    const nodes = state.nodes.filter((node) => node !== null)
    expect(nodes.map(({ subjectless, followers }) => ({ subjectless, followers: followers.length }))).toEqual([
      { subjectless: true, followers: 1 },
      { subjectless: true, followers: 1 },
    ])
    expect(nodes[1]?.vector).toEqual(nodes[0]?.vector)
    expect(statementsWithoutVector(state)).toEqual([])
  })

  test('that moves all of an issue does not affect what was rejected from it', () => {
    const state = built()
    const [from, to] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
    correct(state, rejecting(state, ['m0:0'], from, textOf))
    correct(state, { statements: [{ statementId: 'm0:0', issueId: to, pin: -1, bans: [from], text: textOf('m0:0') }] })
    expect(correct(state, moving(heldBy(state, from), to, textOf)).events).toEqual([{ kind: 'ended', issueId: from }])
    revise(state)
    expect(issueWith(state, 'm0:0')).toBe(to)
  })

  test('into no issue keeps a statement out of all of them', () => {
    const state = built()
    correct(state, moving(['m0:0'], 0, textOf))
    expect(issueWith(keepReceiving(state), 'm0:0')).toBe(0)
  })

  test('a rejection keeps a statement out of an issue and out of its successor', () => {
    const state = built()
    const [from, into] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
    correct(state, rejecting(state, ['m0:0'], from, textOf))
    const living = keepReceiving(state)
    expect(issueWith(living, 'm0:0')).not.toBe(from)
    correct(living, merging(living, from, into))
    expect(issueWith(keepReceiving(living), 'm0:0')).not.toBe(into)
  })

  test('merges two issues permanently, for later messages of either too', () => {
    const state = built()
    const [from, into] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
    expect(correct(state, merging(state, from, into)).events).toEqual([{ kind: 'merged', issueId: from, into }])
    const living = keepReceiving(state)
    expect(heldBy(living, into)).toEqual(expect.arrayContaining(['m0:0', 'm4:0', 'm1:0', 'm5:0', 'r4x0:0', 'r4x1:0']))
    const [decision] = assign(living, say('large CSV export of a report fails', 'new'))['decisions']
    expect(decision?.issueId).toBe(into)
  })

  test('merges two issues for a later flood of messages too', () => {
    const state = built()
    const [from, into] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
    correct(state, merging(state, from, into))
    const places = 'London Paris Rome Oslo Bonn Riga Wien Brno Graz Lyon'.split(' ')
    for (let n = 0; n < 80; n++) {
      const [one, two] = [places[n % 10], places[Math.floor(n / 10)]]
      assign(state, say(`CSV export of the ${one} report fails for ${two}`, `e${n}`))
      assign(state, say(`people in ${one} cannot log in with single sign-on from ${two}`, `l${n}`))
      if (n % 8 === 0) revise(state)
    }
    revise(state)
    expect(issues(state).filter((issue) => issue.visible)).toHaveLength(2)
    expect(heldBy(state, into).length).toBeGreaterThan(150)
  })

  test('splits an issue permanently, with its own name', () => {
    const state = built()
    const from = issueWith(state, 'm0:0')
    const picks = ['m0:0', 'm4:0']
    const { events } = correct(state, splitting(state, picks, from, 9, textOf))
    expect(events).toEqual([
      { kind: 'split', issueId: from, into: [9] },
      { kind: 'born', issueId: 9 },
    ])
    expect(describe(state, 9).name).not.toBe(describe(state, from).name)
    const living = keepReceiving(state)
    for (const id of picks) expect(issueWith(living, id)).toBe(9)
    for (const id of ['m8:0', 'm12:0', 'm16:0']) expect(issueWith(living, id)).toBe(from)
  })

  test('locks an issue: revisions neither remove from it nor add to it', () => {
    const state = built()
    const issueId = issueWith(state, 'm0:0')
    correct(state, { statements: [], locks: [{ issueId, locked: true }] })
    const loaded = deserialize(serialize(state))
    const held = heldBy(loaded, issueId)
    for (let n = 0; n < 20; n++) {
      assign(loaded, say(`a large report fails to export to csv ${n}`, `n${n}`))
      const before = heldBy(loaded, issueId)
      revise(loaded)
      expect(heldBy(loaded, issueId).sort()).toEqual(before.sort())
    }
    expect(heldBy(loaded, issueId)).toEqual(expect.arrayContaining(held))
  })

  test('of an unknown statement changes nothing and applies once the statement arrives', () => {
    const state = built()
    const to = issueWith(state, 'm1:0')
    expect(
      correct(
        state,
        moving(['new:0'], to, () => undefined),
      ),
    ).toEqual({ events: [], moves: [] })
    expect(assign(state, say('the csv export fails when the report is large', 'new')).decisions[0]).toMatchObject({
      kind: 'joined',
      issueId: to,
      reason: 'decided by a person',
    })
  })
})

suite('what a person said', () => {
  test('survives an edit, whatever the new text is', () => {
    const state = built()
    const [from, to] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
    correct(state, moving(['m0:0'], to, textOf))
    correct(state, rejecting(state, ['m4:0'], from, textOf))
    for (const id of ['m0', 'm4']) {
      forget(state, [`${id}:0`])
      assign(state, prepare({ id, text: 'CSV export of a large report fails, as I said', at: 1 }))
    }
    const living = keepReceiving(state)
    expect(issueWith(living, 'm0:0')).toBe(to)
    expect(issueWith(living, 'm4:0')).not.toBe(from)
    forget(living, ['m0:0'])
    assign(living, prepare({ id: 'm0', text: 'thanks!', at: 1 }))
    expect(issueWith(living, 'm0:0')).toBe(to)
  })

  test('survives the loss of the state', () => {
    const state = built()
    const [from, to] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
    correct(state, moving(['m0:0'], to, textOf))
    correct(state, rejecting(state, ['m4:0'], from, textOf))
    const rebuilt = createState({ seed: 7 })
    loadConstraints(rebuilt, {
      rules: [...state.rules].map(([statementId, rule]) => ({ statementId, ...rule })),
      merges: [...state.successors].map(([from, into]) => ({ from, into })),
      lastIssue: 20,
    })
    const decisions = issues(state).flatMap(({ issueId, statementIds }) =>
      statementIds.map((statementId) => ({
        statementId,
        issueId,
        kind: 'joined' as const,
        score: 1,
        reason: 'stored',
      })),
    )
    replay(rebuilt, SAMPLE.flatMap(prepare), decisions)
    expect(issues(rebuilt).map((issue) => [issue.issueId, [...issue.statementIds].sort()])).toEqual(
      issues(state).map((issue) => [issue.issueId, [...issue.statementIds].sort()]),
    )
    const living = keepReceiving(rebuilt)
    expect(issueWith(living, 'm0:0')).toBe(to)
    expect(issueWith(living, 'm4:0')).not.toBe(from)
    expect(living.nextIssue).toBeGreaterThan(20)
  })

  test('propagates: a later message similar to a moved one follows it, through revisions too', () => {
    const odd = 'the export of our holiday calendar to csv stops halfway'
    const state = built()
    assign(state, say(odd, 'odd'))
    const to = issueWith(state, 'm2:0')
    correct(
      state,
      moving(['odd:0'], to, () => odd),
    )
    const like = [
      'export of the holiday calendar to csv stops halfway',
      'our holiday calendar: csv export stops halfway through',
    ]
    like.forEach((text, n) => assign(state, say(text, `like${n}`)))
    for (let round = 0; round < 3; round++) {
      like.forEach((_, n) => expect(issueWith(state, `like${n}:0`)).toBe(to))
      SAMPLE.forEach(({ text }, n) => assign(state, say(`${text} again ${round}`, `again${round}x${n}`)))
      revise(state)
    }
    expect(issueWith(state, 'again2x0:0')).toBe(issueWith(state, 'm4:0'))
  })

  test('propagates: statements more similar to a rejected one than to the rest leave with the next revision', () => {
    const odd = 'CSV export of large reports is a feature that my boss wants to praise'
    const like = 'my boss wants to praise the CSV export of large reports as a feature'
    const state = built()
    const issueId = issueWith(state, 'm0:0')
    assign(state, [...say(odd, 'odd'), ...say(like, 'like')])
    expect([issueWith(state, 'odd:0'), issueWith(state, 'like:0')]).toEqual([issueId, issueId])
    correct(
      state,
      rejecting(state, ['odd:0'], issueId, () => odd),
    )
    expect(issueWith(state, 'like:0')).toBe(issueId)
    revise(state)
    expect(issueWith(state, 'like:0')).not.toBe(issueId)
    expect(heldBy(state, issueId)).toEqual(expect.arrayContaining(['m0:0', 'm4:0', 'm8:0', 'm12:0', 'm16:0']))
  })

  test('propagates: a later message similar to a rejected one does not join that issue', () => {
    const odd = 'CSV export of large reports is a feature that my boss wants to praise'
    const like = 'my boss wants to praise the CSV export of large reports as a feature'
    const untaught = built()
    for (const [text, id] of [
      [odd, 'odd'],
      [like, 'like'],
    ] as const)
      assign(untaught, say(text, id))
    const issueId = issueWith(untaught, 'm0:0')
    expect([issueWith(untaught, 'odd:0'), issueWith(untaught, 'like:0')]).toEqual([issueId, issueId])
    const state = built()
    assign(state, say(odd, 'odd'))
    correct(
      state,
      rejecting(state, ['odd:0'], issueId, () => odd),
    )
    assign(state, say(like, 'like'))
    for (let round = 0; round < 3; round++) {
      expect(issueWith(state, 'like:0')).not.toBe(issueId)
      SAMPLE.forEach(({ text }, n) => assign(state, say(`${text} again ${round}`, `again${round}x${n}`)))
      revise(state)
    }
  })
})

suite('no statement loses its rule', () => {
  test('when an edit makes it identical to a statement of the rejected issue', () => {
    const state = built()
    const issueId = issueWith(state, 'm0:0')
    correct(state, rejecting(state, ['m4:0'], issueId, textOf))
    forget(state, ['m4:0'])
    assign(state, prepare({ id: 'm4', text: 'CSV export fails for large reports', at: 1 }))
    expect(issueWith(state, 'm4:0')).toBe(0)
  })

  test('when its issue keeps only 50 of its texts', () => {
    const state = createState()
    const words = 'north south east west red green blue gold iron salt'.split(' ')
    const said = Array.from({ length: 90 }, (_, n) => ({
      id: `w${n}`,
      text: `the ${words[n % 10]} export of ${words[Math.floor(n / 10)]} reports ${words[(n * 7) % 10]} fails`,
      at: n,
    }))
    const statements = said.flatMap(prepare)
    const decisions = statements.map(({ id }) => ({
      statementId: id,
      kind: 'joined' as const,
      issueId: 1,
      score: 1,
      reason: '',
    }))
    replay(state, statements, decisions)
    const ids = statements.map((statement) => statement.id)
    const text = (id: string) => said[Number(id.slice(1, -2))]?.text
    const halves = [ids.filter((_, n) => n % 2 === 0), ids.filter((_, n) => n % 2 === 1)] as const
    correct(state, rejecting(state, halves[0], 8, text))
    correct(state, rejecting(state, halves[1], 9, text))
    revise(state)
    const nodeOf = (id: string) => state.nodes[state.statementNodes[state.statementIndex.get(id) as number] as number]
    expect(halves.map((half) => new Set(half.map((id) => nodeOf(id)?.bans.join())))).toEqual([
      new Set(['8']),
      new Set(['9']),
    ])
    expect(Math.max(...[...state.issues.values()].map((issue) => issue.nodes.size))).toBeLessThanOrEqual(50)
  })
})

test('undoing a correction restores the previous grouping', () => {
  const state = built()
  const [from, into] = [issueWith(state, 'm0:0'), issueWith(state, 'm1:0')]
  const groups = () => issues(state).map((issue) => [issue.issueId, [...issue.statementIds].sort()])
  const before = groups()
  const { name, summary, hash } = describe(state, from)
  const ids = [...heldBy(state, from), ...heldBy(state, into)]
  const back = ids.map((id) => ({
    statementId: id,
    issueId: issueWith(state, id),
    pin: -1,
    bans: [],
    text: textOf(id),
  }))
  correct(state, merging(state, from, into))
  revise(state)
  const { events } = correct(state, {
    statements: back,
    merges: [{ from, into: null }],
    shown: [{ issueId: from, name, summary, hash }],
  })
  expect(events).toContainEqual({ kind: 'born', issueId: from })
  expect(groups()).toEqual(before)
  expect(describe(state, from)).toMatchObject({ name, summary, hash })
  expect([state.rules.size, state.successors.size]).toEqual([0, 0])
})
