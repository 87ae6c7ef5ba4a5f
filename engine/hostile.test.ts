import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hostileText, subjectLine } from '@groundswell/fixtures/engine/hostile.ts'
import fc from 'fast-check'
import { expect, describe as suite, test } from 'vitest'
import {
  assign,
  createState,
  describe,
  deserialize,
  type Item,
  issues,
  prepare,
  revise,
  type State,
  serialize,
} from './index.ts'
import { featuresOf } from './state/state.ts'
import { normalise, tokenise } from './text/normalise.ts'

const hostile = fc.array(fc.nat(999), { minLength: 4, maxLength: 60, size: 'max' }).map(hostileText)

/** The maximum cost of any message: statements, words and terms of a statement (600 plus what the last word adds). */
const STATEMENTS = 12
const WORDS = 160
const TERMS = 720

const say = (state: State, items: readonly Item[]) =>
  assign(
    state,
    items.flatMap((item) => prepare(item)),
  )
const asItems = (texts: readonly string[], from = 0) => texts.map((text, i) => ({ id: `i${from + i}`, text, at: i }))

suite('hostile messages', () => {
  test('of up to a megabyte, in any mixture, break nothing: every statement is decided, names stay well-formed, the state loads', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 8 }), (texts) => {
        const state = createState({ seed: 2 })
        // Twice, so that they group, and mixed with others.
        const items = asItems([
          ...texts,
          ...texts.map((text) => `${text} `),
          ...Array.from({ length: 12 }, (_, n) => subjectLine(n)),
        ])
        const statements = items.flatMap((item) => prepare(item))
        const { decisions } = assign(state, statements)
        expect(decisions.map(({ statementId }) => statementId)).toEqual(statements.map(({ id }) => id))
        revise(state)
        for (const { issueId } of issues(state)) {
          const { name, summary } = describe(state, issueId)
          expect(name.trim()).not.toBe('')
          expect(name.length).toBeLessThan(120)
          expect(name.isWellFormed() && summary.isWellFormed()).toBe(true)
        }
        const bytes = serialize(state)
        expect(serialize(deserialize(bytes))).toEqual(bytes)
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })

  test('are bounded whatever their length: at most 12 statements, 160 words and 720 terms of each, and a bounded state', () => {
    const texts: string[] = []
    fc.assert(
      fc.property(hostile, (text) => {
        texts.push(text)
        const state = createState({ seed: 2 })
        const statements = prepare({ id: 'h', text, at: 1 })
        expect(statements.length).toBeLessThanOrEqual(STATEMENTS)
        for (const one of statements) expect(tokenise(normalise(one.text)).length).toBeLessThanOrEqual(WORDS)
        assign(state, statements)
        state.nodes.forEach((node, index) => {
          expect(featuresOf(state, index).terms.length).toBeLessThanOrEqual(TERMS)
          expect(node?.text.length).toBeLessThanOrEqual(400)
        })
        // Pieces of three to five letters of every word, whether stored or not.
        const letters = statements.reduce((sum, one) => sum + Math.min(one.text.length, 4_000) + 2 * WORDS, 0)
        expect(state.vocabulary.size).toBeLessThanOrEqual(3 * letters + WORDS * statements.length)
        expect(serialize(state).byteLength).toBeLessThan(statements.length * 10_000 + 1_000)
      }),
      { numRuns: 150, endOnFailure: true },
    )
    expect(texts.some((text) => text.length > 500_000)).toBe(true)
  })

  test('need as many comparisons in a large state as in a small one', () => {
    const looks = (size: number) => {
      const state = createState({ seed: 2 })
      say(state, asItems(Array.from({ length: size }, (_, n) => subjectLine(n))))
      revise(state)
      const kept = state.nodes.length
      const seen = new Set<string>()
      const watched = <T extends object>(kept: T): T =>
        new Proxy(kept, {
          get(target, key) {
            if (typeof key === 'string' && /^\d+$/.test(key)) seen.add(key)
            return Reflect.get(target, key, target) as unknown
          },
        })
      state.nodes = watched(state.nodes)
      state.forwardIndex.starts = watched(state.forwardIndex.starts)
      const most = fc.sample(hostile, { numRuns: 60, seed: 9 }).map((text, n) => {
        seen.clear()
        say(state, asItems([text, subjectLine(n)], 1_000_000 + 2 * n))
        return seen.size
      })
      return { kept, most: Math.max(...most) }
    }
    const [small, large] = [looks(400), looks(4_000)]
    expect(large.kept).toBeGreaterThan(3 * small.kept)
    // The message and one beside it: for each statement the 16 that are compared, itself, and what it stands beside.
    for (const { most } of [small, large]) {
      expect(most).toBeGreaterThan(STATEMENTS)
      expect(most).toBeLessThan((STATEMENTS + 1) * 20)
    }
    expect(large.most).toBeLessThan(2 * small.most)
  })
})

suite('the same input, seed and version', () => {
  const script = `
    import { createHash } from 'node:crypto'
    import fc from 'fast-check'
    import { assign, createState, describe, issues, prepare, revise, serialize } from ${JSON.stringify(import.meta.resolve('./index.ts'))}
    import { hostileText, subjectLine } from ${JSON.stringify(import.meta.resolve('../fixtures/engine/hostile.ts'))}
    const hostile = fc.array(fc.nat(999), { minLength: 4, maxLength: 60, size: 'max' }).map(hostileText)
    const said = [1, 2].map((seed) => {
      const state = createState({ seed })
      const texts = [...fc.sample(hostile, { numRuns: 10, seed }), ...Array.from({ length: 100 }, (_, n) => subjectLine(n))]
      texts.forEach((text, at) => {
        assign(state, prepare({ id: 'i' + at, text, at }))
        if (at % 60 === 59) revise(state)
      })
      revise(state)
      const names = issues(state).map(({ issueId }) => describe(state, issueId))
      return createHash('sha256').update(serialize(state)).update(JSON.stringify(names)).digest('hex')
    })
    console.log(said.join(' '))`

  test('gives the same bytes and names in other processes, whatever their hash seeds and random numbers', async () => {
    const run = promisify(execFile)
    const flags = [
      ['--random-seed=1', '--hash-seed=1'],
      ['--random-seed=2', '--hash-seed=2'],
    ]
    const answers = await Promise.all(
      flags.map((more) =>
        run(process.execPath, [...more, '--input-type=module', '-e', script], { cwd: import.meta.dirname }),
      ),
    )
    const [first, other] = answers.map(({ stdout }) => stdout.trim())
    expect(first).toMatch(/^[0-9a-f]{64} [0-9a-f]{64}$/)
    expect(new Set(first?.split(' ')).size).toBe(2)
    expect(other).toBe(first)
  })
})

test('the hostile sample covers every kind of message', () => {
  const all = fc.sample(hostile, { numRuns: 300, seed: 1 })
  const some = (what: (text: string) => boolean) => expect(all.some(what)).toBe(true)
  some((text) => text.length > 900_000)
  some((text) => text.length === 1)
  some((text) => (text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0) >= 10_000)
  some((text) => text.includes('<script>'))
  some((text) => /\n\s+at .*:\d+:\d+/.test(text))
  some((text) => !text.isWellFormed())
  some((text) => text.includes('\0'))
  some((text) => /[\u200f\u202e\u2067]/.test(text))
})
