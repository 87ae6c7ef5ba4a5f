import {
  advise,
  assign,
  type Correction,
  correct,
  createState,
  deserialize,
  forget,
  issues,
  prepare,
  recall,
  replay,
  revise,
  type State,
  serialize,
} from './index.ts'
import { heirOf } from './rules.ts'
import { heldBy, issueWith, merging, moving, rejecting, splitting } from './sample-corrections.ts'

const NOUNS = ['csv export', 'login page', 'dark mode', 'invoice tax', 'calendar sync', 'mobile timer']
const PROBLEMS = [
  'is broken',
  'does not work',
  'fails for large accounts',
  'is missing',
  'shows a wrong value',
  'is slow',
]
const ENDS = ['', ' again', ' since Monday', ' for our team', ' on my phone', ', please help']

const WAYS = ['nothing', 'move', 'out', 'reject', 'merge', 'split', 'lock', 'unlock'] as const

/** What comes and what a person says, read off a row of numbers from 0 to 999. */
type Step = {
  texts: [number, number, number][]
  how: (typeof WAYS)[number]
  picks: number[]
  issue: number
  edit: [number, number, number] | null
  lose: boolean
}

function stepOf(row: number[]): Step {
  const at = (place: number, below: number) => (row[place % row.length] as number) % below
  return {
    texts: Array.from({ length: 2 + at(0, 9) }, (_, n) => [at(n + 1, 6), at(2 * n + 2, 6), at(3 * n + 3, 6)]),
    how: WAYS[at(1, WAYS.length)] as Step['how'],
    picks: Array.from({ length: 1 + at(2, 4) }, (_, n) => at(n + 4, 200)),
    issue: at(3, 20),
    edit: at(5, 3) === 0 ? [at(6, 200), at(7, 6), at(8, 6)] : null,
    lose: at(9, 2) === 0,
  }
}

/** A stream of messages with a person who corrects, and what must hold from each correction on. */
class Stream {
  state: State = createState({ seed: 5 })
  readonly texts = new Map<string, string>()
  /** where each statement must stay, by what a person last said of it; read independently of the engine's own rules */
  readonly pins = new Map<string, number>()
  readonly bans = new Map<string, Set<number>>()
  readonly changedWhileLocked: number[] = []

  hear(id: string, text: string): void {
    this.texts.set(`${id}:0`, text)
    assign(this.state, prepare({ id, text, at: this.texts.size }))
  }

  edit(id: string, text: string): void {
    if (!this.texts.has(`${id}:0`)) return
    forget(this.state, [`${id}:0`])
    this.hear(id, text)
  }

  revise(): void {
    this.#watchingLocked(() => revise(this.state))
  }

  /** Does what may change no locked issue. */
  #watchingLocked(act: () => void): void {
    const held = () =>
      new Map(
        [...this.state.issues.values()]
          .filter((issue) => issue.locked)
          .map(({ id }) => [id, heldBy(this.state, id).sort().join()]),
      )
    const before = held()
    act()
    for (const [id, now] of held()) if (before.get(id) !== now) this.changedWhileLocked.push(id)
  }

  restart(withoutState: boolean): void {
    if (withoutState) this.lose()
    else this.state = deserialize(serialize(this.state))
  }

  /** As a start without a stored state does: everything from what was decided and said. */
  lose(): void {
    const { state } = this
    const locked = [...state.issues.values()].filter((issue) => issue.locked).map((issue) => issue.id)
    const anew = createState({ seed: 5 })
    recall(anew, {
      rules: [...state.rules].map(([statementId, rule]) => ({ statementId, ...rule })),
      merges: [...state.heirs].map(([from, into]) => ({ from, into })),
      advice: [...state.advice].map(([statementId, issueId]) => ({ statementId, issueId })),
      lastIssue: state.nextIssue - 1,
    })
    const ids = [...this.texts.keys()]
    const statements = ids.flatMap((id) => prepare({ id: id.slice(0, -2), text: this.texts.get(id) ?? '', at: 1 }))
    const decisions = ids.map((statementId) => {
      const issueId = issueWith(state, statementId)
      const kind = issueId > 0 ? ('joined' as const) : ('pending' as const)
      return { statementId, kind, ...(issueId > 0 ? { issueId } : {}), score: 1, reason: 'stored' }
    })
    replay(anew, statements, decisions)
    correct(anew, { statements: [], locks: locked.map((issueId) => ({ issueId, locked: true })) })
    this.state = anew
  }

  say({ how, picks, issue }: Step): void {
    const { state } = this
    const alive = issues(state)
    const target = alive[issue % Math.max(1, alive.length)]?.issueId
    const from = alive[(picks[0] as number) % Math.max(1, alive.length)]?.issueId
    if (target === undefined || from === undefined) return
    const held = heldBy(state, from)
    const ids = [...new Set(picks.map((pick) => held[pick % held.length] as string))]
    const textOf = (id: string) => this.texts.get(id)
    const pin = (which: string[], to: number) => {
      for (const id of which) {
        this.pins.set(id, to)
        this.bans.delete(id)
      }
    }
    const apply = (correction: Correction) => void correct(state, correction)
    if (how === 'move') {
      apply(moving(ids, target, textOf))
      pin(ids, target)
    } else if (how === 'out') {
      apply(moving(ids, 0, textOf))
      pin(ids, 0)
    } else if (how === 'reject') {
      apply(rejecting(state, ids, from, textOf))
      for (const id of ids) {
        this.bans.set(id, new Set([...(this.bans.get(id) ?? []), from]))
        if (this.pins.get(id) === from) this.pins.delete(id)
      }
    } else if (how === 'merge' && from !== target) {
      const all = [...held, ...heldBy(state, target)]
      apply(merging(state, from, target))
      pin(all, target)
    } else if (how === 'split') {
      const number = state.nextIssue
      apply(splitting(state, ids, from, number, textOf))
      pin(ids, number)
      pin(
        held.filter((id) => !ids.includes(id)),
        from,
      )
    } else if (how === 'lock' || how === 'unlock') {
      apply({ statements: [], locks: [{ issueId: from, locked: how === 'lock' }] })
    }
  }

  /** A language model says of statements at random that they belong to issues at random. */
  beTold({ picks, issue }: Step): void {
    const alive = issues(this.state)
    const ids = [...this.texts.keys()]
    const advice = picks.flatMap((pick, n) => {
      const target = alive[(issue + n) % Math.max(1, alive.length)]
      return target ? [{ statementId: ids[pick % ids.length] as string, issueId: target.issueId, score: 0.5 }] : []
    })
    this.#watchingLocked(() => advise(this.state, advice))
  }

  /** What is otherwise than a person said, in words. */
  broken(): string[] {
    const wrong = this.changedWhileLocked.map((id) => `${id} has changed while it was locked`)
    for (const [id, pin] of this.pins) {
      const is = issueWith(this.state, id)
      if (is !== pin) wrong.push(`${id} is in ${is} and was put into ${pin}`)
    }
    for (const [id, banned] of this.bans) {
      const is = issueWith(this.state, id)
      for (const one of banned) {
        if (is > 0 && (is === one || is === heirOf(this.state, one)))
          wrong.push(`${id} is in ${is}, not to be in ${one}`)
      }
    }
    return wrong
  }
}

/**
 * Plays a stream in which a person corrects, a row of numbers a step, and then so many revisions while messages come. Returns
 * what was first otherwise than the person said, in words; null when all held.
 */
export function firstBreach(rows: number[][], revisions: number): string | null {
  const stream = new Stream()
  let next = 0
  for (let round = 0; round < Math.max(revisions, rows.length); round++) {
    const one = stepOf(rows[round % rows.length] as number[])
    const doings: [string, () => void][] = [
      [
        'new messages',
        () => {
          for (const [noun, problem, end] of round < 30 ? one.texts : one.texts.slice(0, 1)) {
            const more = round > 3 ? ` ${round}` : ''
            stream.hear(`s${next++}`, `the ${NOUNS[noun]} ${PROBLEMS[problem]}${ENDS[end]}${more}`)
          }
        },
      ],
      [one.how, () => round < rows.length && stream.say(one)],
      [
        'an edit',
        () => one.edit && stream.edit(`s${one.edit[0] % next}`, `the ${NOUNS[one.edit[1]]} ${PROBLEMS[one.edit[2]]}`),
      ],
      ['advice', () => stream.beTold(one)],
      ['a revision', () => stream.revise()],
      ['a start', () => stream.restart(one.lose && round % 4 === 0)],
    ]
    for (const [what, act] of doings) {
      act()
      const wrong = stream.broken()
      if (wrong.length > 0) return `round ${round}, after ${what}: ${wrong.join('; ')}`
    }
  }
  return null
}
