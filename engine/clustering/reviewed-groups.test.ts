import { describe, expect, test } from 'vitest'
import { FIRST_EMERGING } from '../model.ts'
import { continueHeld, partsOfReviews } from './reviewed-groups.ts'

/** Places in these issues. Those in `held` were put there by a language model. */
const placed = (issues: readonly number[], held: readonly number[]) => ({
  nodeAt: (place: number) => ({ issue: issues[place] as number, followers: [place] }),
  held: (place: number) => held.includes(place),
})
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

describe('a community that continues no issue', () => {
  const continued = (issues: readonly number[], held: readonly number[], issue = 0) => {
    const community = { places: numbers(issues.length), issue }
    continueHeld([community], placed(issues, held))
    return community.issue
  }

  test('continues the one in which a language model put most of what it placed of it', () => {
    expect(continued([5, 5, 0, 0, 0, 0], [0, 1])).toBe(5)
    expect(continued([5, 5, 6, 6, 6, 0], [0, 1, 2, 3, 4])).toBe(6)
    expect(continued([7, 7, 5, 5], [0, 1, 2, 3])).toBe(5)
  })

  test('continues none for a single place, for an emerging issue, or for what nobody put there', () => {
    expect(continued([5, 0, 0], [0])).toBe(0)
    expect(continued([FIRST_EMERGING, FIRST_EMERGING], [0, 1])).toBe(0)
    expect(continued([5, 5, 5], [])).toBe(0)
  })

  test('is left alone when it continues one', () => {
    expect(continued([5, 5, 0], [0, 1], 8)).toBe(8)
  })
})

describe('what is like a part that a review split off', () => {
  /** Places 0 and 1 are issue 1, 2 and 3 the part 4 of it, and 4 and 5 new. Pairs: from, to, similarity. */
  const issues = [1, 1, 4, 4, 0, 0]
  const partOf = (pairs: readonly (readonly [number, number, number])[], place: number, of = issues) => {
    const state = {
      statementIds: of.map((_, at) => `m${at}:0`),
      parted: new Map([
        ['m2:0', [1]],
        ['m3:0', [1]],
      ]),
    }
    const [from, to, scores] = [0, 1, 2].map((n) => pairs.map((pair) => pair[n] as number)) as [
      number[],
      number[],
      number[],
    ]
    const given = { from: Int32Array.from(from), to: Int32Array.from(to), scores: Float32Array.from(scores) }
    return partsOfReviews(
      state,
      given,
      of.map(() => 0),
      placed(of, [2, 3]),
    )(place, 1)
  }

  test('joins the part', () => {
    expect(
      partOf(
        [
          [4, 2, 0.6],
          [4, 0, 0.5],
        ],
        4,
      ),
    ).toBe(4)
    expect(
      partOf(
        [
          [4, 2, 0.5],
          [4, 0, 0.6],
        ],
        4,
      ),
    ).toBe(1)
    expect(partOf([], 4)).toBe(1)
  })

  test('by what is in an issue: other new messages do not count', () => {
    expect(
      partOf(
        [
          [4, 5, 0.9],
          [4, 3, 0.6],
          [4, 1, 0.5],
        ],
        4,
      ),
    ).toBe(4)
    expect(
      partOf(
        [
          [4, 5, 0.9],
          [3, 4, 0.5],
          [1, 4, 0.6],
        ],
        4,
      ),
    ).toBe(1)
  })

  test('stays in it when it has joined it, and in the whole when it is there', () => {
    const joined = [1, 1, 4, 4, 4, 1]
    expect(
      partOf(
        [
          [4, 2, 0.6],
          [4, 0, 0.5],
        ],
        4,
        joined,
      ),
    ).toBe(4)
    expect(
      partOf(
        [
          [5, 2, 0.6],
          [5, 0, 0.5],
        ],
        5,
        joined,
      ),
    ).toBe(1)
  })

  test('does not follow what no review took out of the whole', () => {
    expect(
      partOf(
        [[4, 2, 0.6]],
        4,
        [1, 1, 4, 4, 0, 0].map((issue) => (issue === 4 ? 0 : issue)),
      ),
    ).toBe(1)
    expect(partOf([[4, 0, 0.6]], 4, [6, 1, 4, 4, 0, 0])).toBe(1)
  })
})
