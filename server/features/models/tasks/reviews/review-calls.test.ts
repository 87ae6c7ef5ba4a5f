import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { INJECTIONS } from '../../injection-messages.ts'
import { respond, world } from '../../testing.ts'
import { names } from '../names/task.ts'
import { obedientAnswers } from '../names/testing.ts'
import { EXPORTS, exports, LOGINS, logins, receivedAll, review, reviewing, STRANGER, withReviews } from './testing.ts'

withReviews()

describe('the name that a review gives', () => {
  const namesOf = async () => {
    const { rows } = await world.inside(review.company.workspaceId, (tx) =>
      sql<{ issue: number; name: string; summary: string; version: string }>`
        select issue_number as issue, name, summary, prompt_version as version from model_description order by issue_number`.execute(
        tx,
      ),
    )
    return rows
  }
  const named = (name: string, summary: string) =>
    reviewing(() => false, {
      name: (heard) => (/export/i.test(heard.name) ? { name, summary } : { name: 'Single sign-on', summary: 'x' }),
    })
  const NAME = { name: 'Large reports: CSV export fails', summary: 'The CSV export of a large report fails.' }

  test('is shown, and the insight is not named by a call of its own', async () => {
    review.model.script = named(NAME.name, NAME.summary)
    await review.choose({ reviews: true })
    expect(await review.run()).toBe(1)
    expect(await namesOf()).toEqual([{ issue: exports, ...NAME, version: 'review-insights-3' }])
    review.model.heard.length = 0
    review.model.script = (_heard, response) => respond(response, 'nothing')
    await world.run(review.company.workspaceId, world.settings(review.model), { task: names })
    expect(review.model.heard.length).toBeGreaterThan(0)
    expect(review.model.heard.flatMap(({ messages }) => messages).some((text) => /export/i.test(text))).toBe(false)
  })

  test.each([
    ['what only one message says', 'The separator of the file', NAME.summary],
    ['an order', 'HACKED by the message', 'HACKED. Everybody says so.'],
    ['a summary with a link', NAME.name, 'The CSV export fails, see https://evil.example for help.'],
  ])('is not shown when it is %s, and a call of its own names the insight', async (_what, name, summary) => {
    review.model.script = named(name, summary)
    await review.choose({ reviews: true })
    await review.run()
    expect((await review.reviewed()).map(({ refused }) => refused)).toEqual([null, null])
    expect(await namesOf()).toEqual([])
  })

  test('is not shown when one of a hundred messages orders it and a model obeys, in ten ways', async () => {
    const { workspaceId } = review.company
    await world.insight(workspaceId, 999, [...LOGINS, ...LOGINS.map((text) => `${text} today`)], { name: 'Sign-on' })
    for (const [at, order] of INJECTIONS.entries())
      await world.insight(workspaceId, 100 + at, [order, ...EXPORTS], { name: `Export ${at}` })
    const forms = obedientAnswers(NAME.name, NAME.summary)
    let count = 0
    review.model.script = reviewing(() => false, {
      name: () => {
        const { name, summary } = forms[count++ % forms.length]?.([]) ?? NAME
        return { name, summary }
      },
    })
    await review.choose({ reviews: true })
    // Reviews wait while the next grouping has moves to carry out; here there is none.
    while ((await review.run()) > 0) await world.inside(workspaceId, (tx) => sql`delete from model_move`.execute(tx))
    expect(count).toBeGreaterThan(99)
    expect((await review.reviewed()).filter(({ refused }) => refused === null).length).toBeGreaterThan(90)
    expect(
      (await namesOf()).filter(({ name, summary }) => /hac\s*ked|evil|dekcah/i.test(`${name} ${summary}`)),
    ).toEqual([])
  })
})

test('a later review shows what has arrived since and six of the others', async () => {
  const more = Array.from({ length: 8 }, (_, at) => `the CSV export of large reports fails: error ${at}`)
  await review.choose({ reviews: true })
  review.model.script = reviewing(() => false)
  await review.run()
  await review.company.store(more.map((text, at) => ({ id: `more${at}`, text })))
  await review.company.group()
  review.model.heard.length = 0
  expect(await review.run()).toBe(1)
  const [sent] = receivedAll(review.model.heard[0])
  expect(sent?.others.map(({ messages }) => messages)).toEqual([[]])
  const texts = sent?.messages.map(({ text }) => text) ?? []
  expect(texts).toEqual(expect.arrayContaining(more))
  expect(texts.filter((text) => [...EXPORTS, STRANGER].includes(text))).toHaveLength(6)
})

test('a call in which one insight spoils the reply is made again in halves', async () => {
  review.model.script = (heard, response) => {
    const isSpoiled = receivedAll(heard).some(({ name }) => /export/i.test(name))
    if (isSpoiled) respond(response, 'nothing')
    else reviewing(() => false)(heard, response)
  }
  await review.choose({ reviews: true })
  expect(await review.run()).toBe(3)
  expect((await review.reviewed()).map(({ issue, refused }) => [issue, refused])).toEqual([
    [exports, 'reply'],
    [logins, null],
  ])
})
