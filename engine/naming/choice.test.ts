import { expect, test } from 'vitest'
import { intentsOf } from '../text/intents.ts'
import { type Candidate, type Member, rankTitles } from './choice.ts'

const RARITY: Record<string, number> = { shop: 6, list: 5, milk: 7, egg: 7 }
const rarity = (stemmed: string) => RARITY[stemmed] ?? 6

const candidates = (...texts: string[]): Candidate[] =>
  texts.map((text) => ({ text, intents: intentsOf(text), quality: 1 }))
const said = (text: string, times: number): Member[] =>
  Array.from({ length: times }, () => ({ sentences: [intentsOf(text)], weight: 1 }))
const choose = (titles: Candidate[], members: Member[]) =>
  rankTitles(titles, members, rarity)[0]?.candidate.text ?? null

test('takes the title that most members share, the problem included', () => {
  const members = [...said('contactless does not work', 8), ...said('how do I use contactless', 2)]
  expect(choose(candidates('How do I use contactless', 'My contactless is not working'), members)).toBe(
    'My contactless is not working',
  )
})

test('prefers a title without rare details', () => {
  const members = [...said('what is the weather', 5), ...said('what is the weather in Austin', 1)]
  expect(choose(candidates('What is the weather in Austin', 'What is the weather'), members)).toBe(
    'What is the weather',
  )
})

test('prefers the shorter of equally good titles', () => {
  const members = said('how do I open a shop', 6)
  const titles = candidates('How would one go about opening a shop', 'How to open a shop')
  expect(choose(titles, members)).toBe('How to open a shop')
  expect(choose(titles.toReversed(), members)).toBe('How to open a shop')
})

test('weights a member by its messages', () => {
  const members = [...said('why was my refund late', 3), { sentences: [intentsOf('change my address')], weight: 9 }]
  expect(choose(candidates('Why was my refund late', 'Change my address'), members)).toBe('Change my address')
})

test('uses the nearest of a member’s sentences', () => {
  const members = said('x', 0).concat(
    Array.from({ length: 4 }, () => ({
      sentences: [intentsOf('good day to all'), intentsOf('the export fails')],
      weight: 1,
    })),
  )
  expect(choose(candidates('Good day to all', 'The export fails'), members.concat(said('export fails', 4)))).toBe(
    'The export fails',
  )
})

const ADD = 'Add eggs to my shopping list'
test('names a group of two intents by the larger', () => {
  const members = [...said('how many points have I earned', 14), ...said('how do I redeem points', 10)]
  const titles = candidates('How do I redeem points', 'How many points have I earned')
  expect(choose(titles, members)).toBe('How many points have I earned')
})

test('ranks every title that shares something, best first', () => {
  const members = [...said('how many points have I earned', 14), ...said('how do I redeem points', 10)]
  const titles = candidates(ADD, 'How do I redeem points', 'How many points have I earned')
  const ranked = rankTitles(titles, members, rarity)
  expect(ranked.map(({ candidate }) => candidate.text)).toEqual([
    'How many points have I earned',
    'How do I redeem points',
  ])
  expect(ranked[0]?.score).toBeGreaterThan(ranked[1]?.score ?? 0)
})

test('ignores a title that only its own message supports', () => {
  const own: Member = { sentences: [intentsOf('the blue printer hums')], weight: 1 }
  const members = [own, ...said('the export fails', 2)]
  const [hums, fails] = candidates('The blue printer hums', 'The export fails')
  expect(
    choose(
      [
        { ...(hums as Candidate), of: own },
        { ...(fails as Candidate), of: members[1] },
      ],
      members,
    ),
  ).toBe('The export fails')
  expect(choose([{ ...(hums as Candidate), of: own }], [own])).toBe('The blue printer hums')
})

test('does not reverse what most members want', () => {
  const members = [...said('add a shop to the list', 9), ...said('remove a shop from the list', 1)]
  expect(choose(candidates('Remove a shop from the list', 'Add a shop to the list'), members)).toBe(
    'Add a shop to the list',
  )
  const how = [...said('when is the shop open', 9), ...said('how do I open the shop', 1)]
  expect(choose(candidates('How do I open the shop', 'When is the shop open'), how)).toBe('When is the shop open')
})

test('names the larger direction when a group asks for both', () => {
  const members = [...said('turn on the lamp', 11), ...said('turn off the lamp', 9)]
  expect(choose(candidates('Turn off the lamp', 'Turn on the lamp', 'Switch the lamp on'), members)).toBe(
    'Turn on the lamp',
  )
})

test('returns null when no title shares anything', () => {
  expect(choose([], said('the export fails', 3))).toBeNull()
  expect(choose(candidates(ADD), [])).toBeNull()
  expect(choose(candidates(ADD), said('the export fails', 3))).toBeNull()
})
