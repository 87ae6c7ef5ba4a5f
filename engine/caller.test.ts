import { heldBy, issueWith, merging, moving, rejecting, splitting } from '@groundswell/fixtures/engine/corrections.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  assign,
  type Changes,
  correct,
  createState,
  type Decision,
  deserialize,
  forget,
  issues,
  prepare,
  removeIssue,
  restoreIssue,
  revise,
  type State,
  serialize,
} from './index.ts'
import { MAX_EXEMPLARS } from './state/state.ts'

/** What a caller stores: the issue of every statement it knows of, and which issues are alive. */
class Caller {
  state: State = createState({ seed: 5 })
  issueOf = new Map<string, number>()
  alive = new Set<number>()
  everBorn: number[] = []
  next = 0
  wrong: string[] = []

  hear(texts: string[], thread?: string): void {
    const statements = texts.flatMap((text) =>
      prepare({ id: `s${this.next++}`, text, at: this.next * 1_000, ...(thread === undefined ? {} : { thread }) }),
    )
    this.decided(assign(this.state, statements).decisions)
  }

  decided(decisions: Decision[]): void {
    for (const { statementId, kind, issueId } of decisions) {
      if (kind === 'joined' && issueId !== undefined) this.issueOf.set(statementId, issueId)
    }
  }

  changed({ events, moves }: Changes): void {
    for (const { statementId, from, to } of moves) {
      if (this.issueOf.get(statementId) !== from) this.wrong.push(`${statementId} was not in ${from}`)
      if (to === null || to === undefined) this.issueOf.delete(statementId)
      else this.issueOf.set(statementId, to)
    }
    for (const event of events) {
      if (event.kind === 'born') {
        this.alive.add(event.issueId)
        this.everBorn.push(event.issueId)
      }
      if (event.kind === 'ended' || event.kind === 'merged') this.alive.delete(event.issueId)
    }
  }

  forget(statementIds: string[]): void {
    this.changed(forget(this.state, statementIds))
    for (const statementId of statementIds) this.issueOf.delete(statementId)
  }

  /** Descriptions of the differences between the engine's state and what the caller has stored. */
  differences(): string[] {
    const wrong = [...this.wrong]
    const reported = new Map<string, number>()
    for (const issue of issues(this.state)) {
      for (const id of issue.statementIds) reported.set(id, issue.issueId)
      if (issue.mentions !== issue.statementIds.length) wrong.push(`issue ${issue.issueId} counts wrongly`)
      if (!this.alive.has(issue.issueId)) wrong.push(`issue ${issue.issueId} was never born, or has ended`)
      if (issue.visible !== (!issue.removed && issue.items >= 2))
        wrong.push(`issue ${issue.issueId} is not shown rightly`)
    }
    for (const [id, issueId] of reported)
      if (this.issueOf.get(id) !== issueId) wrong.push(`${id} is in ${issueId} unreported`)
    for (const id of this.issueOf.keys()) if (!reported.has(id)) wrong.push(`${id} left unreported`)
    if (this.everBorn.some((id, i) => id <= (this.everBorn[i - 1] ?? 0))) wrong.push('numbers do not grow')
    for (const issue of this.state.issues.values()) {
      if (issue.nodes.size > MAX_EXEMPLARS) wrong.push(`issue ${issue.id} keeps ${issue.nodes.size} texts`)
    }
    return wrong
  }
}

const NOUNS = ['csv export', 'login page', 'dark mode', 'invoice tax', 'calendar sync', 'mobile timer']
const PROBLEMS = [
  'is broken',
  'does not work',
  'fails for large accounts',
  'is missing',
  'shows the wrong value',
  'is slow',
]
const ENDS = ['', ' again', ' since Monday', ' for our team', ' on my phone', ', please help']

const text = fc
  .tuple(fc.constantFrom(...NOUNS), fc.constantFrom(...PROBLEMS), fc.constantFrom(...ENDS), fc.nat(99))
  .map(([noun, problem, end, n]) => `the ${noun} ${problem}${end}${n > 60 ? ` ${n}` : ''}`)

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('hear' as const), texts: fc.array(text, { minLength: 1, maxLength: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reply' as const), to: fc.nat(30) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('revise' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('forget' as const), picks: fc.array(fc.nat(99), { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), pick: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('correct' as const), pick: fc.nat(99), issue: fc.nat(9), how: fc.nat(4) }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function play(caller: Caller, one: Step): void {
  const { state } = caller
  const held = issues(state)
  switch (one.do) {
    case 'hear':
      return caller.hear(one.texts)
    case 'reply':
      return caller.hear(['same here', 'we lost two hours because of it'], `s${one.to}`)
    case 'revise':
      return caller.changed(revise(state))
    case 'forget':
      return caller.forget([...new Set(one.picks.map((pick) => `s${pick}:0`))])
    case 'reload':
      caller.state = deserialize(serialize(state))
      return
    case 'remove':
      return removeIssue(state, held[one.pick % Math.max(1, held.length)]?.issueId ?? 0)
    case 'restore':
      return restoreIssue(state, held[one.pick % Math.max(1, held.length)]?.issueId ?? 0)
    case 'correct':
      return correctAtRandom(caller, one)
  }
}

function correctAtRandom(caller: Caller, one: { pick: number; issue: number; how: number }): void {
  const { state } = caller
  const alive = issues(state).filter((issue) => !issue.removed)
  const target = alive[one.issue % Math.max(1, alive.length)]?.issueId
  const id = `s${one.pick}:0`
  const from = issueWith(state, id)
  if (target === undefined || from === 0 || state.issues.get(from)?.removed) return
  const says = () => `the ${NOUNS[one.pick % 6]} ${PROBLEMS[one.pick % 5]}`
  const held = heldBy(state, from)
  if (one.how === 0) caller.changed(correct(state, moving([id], target, says)))
  if (one.how === 1) caller.changed(correct(state, rejecting(state, [id], from, says)))
  if (one.how === 2 && from !== target) caller.changed(correct(state, merging(state, from, target)))
  if (one.how === 3) {
    const picks = held.filter((_, n) => n % 2 === 0)
    caller.changed(correct(state, splitting(state, picks, from, state.nextIssue, says)))
  }
  if (one.how === 4) {
    const locked = one.pick % 2 === 0
    caller.changed(correct(state, { statements: [], locks: [{ issueId: target, locked }] }))
  }
}

describe('a caller that stores all decisions and moves', () => {
  test('has the same groups as the engine after any sequence of calls', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const caller = new Caller()
        for (const one of steps) {
          play(caller, one)
          expect(caller.differences()).toEqual([])
        }
      }),
      { numRuns: 120 },
    )
  })

  test('issue numbers only grow and are never reused', () => {
    const caller = new Caller()
    for (let round = 0; round < 6; round++) {
      caller.hear(PROBLEMS.map((problem) => `the ${NOUNS[round]} ${problem}`))
      caller.changed(revise(caller.state))
      caller.forget([...caller.issueOf.keys()])
      caller.changed(revise(caller.state))
      expect(issues(caller.state)).toEqual([])
    }
    expect(caller.everBorn.length).toBeGreaterThanOrEqual(6)
    expect(caller.everBorn).toEqual([...new Set(caller.everBorn)].sort((a, b) => a - b))
  })

  test('an issue of any size keeps at most 50 texts, and all its mentions', () => {
    const caller = new Caller()
    for (let i = 0; i < 40; i++) {
      caller.hear(
        Array.from(
          { length: 10 },
          (_, k) => `the csv export fails for report number ${i * 10 + k} of ${ENDS[k % 6]} ours`,
        ),
      )
      if (i % 4 === 0) caller.changed(revise(caller.state))
      expect(caller.differences()).toEqual([])
    }
    caller.changed(revise(caller.state))
    expect(caller.differences()).toEqual([])
    const [largest] = issues(caller.state).sort((a, b) => b.mentions - a.mentions)
    expect(largest?.mentions).toBeGreaterThan(300)
  })

  test('nothing is moved out of an issue that grows uniformly', () => {
    const caller = new Caller()
    const reports = (subject: string, more = '') =>
      ENDS.map((end) => `the ${subject} fails for large accounts${end}${more}`)
    caller.hear(reports('csv export'))
    caller.hear(reports('calendar sync'))
    caller.changed(revise(caller.state))
    const before = new Map(caller.issueOf)
    expect(before.size).toBe(12)
    for (const day of ['Monday', 'Tuesday', 'Friday']) {
      caller.hear(reports('csv export', ` on ${day}`))
      caller.changed(revise(caller.state))
      expect(caller.issueOf).toEqual(new Map([...caller.issueOf, ...before]))
    }
  })
})
