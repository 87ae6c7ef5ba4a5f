import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Expected } from '@groundswell/contract/feedback.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { expectedOf } from './expected.ts'
import { createImport } from './imports/create-import.ts'
import { runImport } from './imports/run-import.ts'
import { feedbackRoutes } from './routes.ts'

let ann: TestPerson
const hooks = { stored: async () => undefined }

const test = appOfFile((services) => ({
  handlers: [...accountRoutes(services), ...feedbackRoutes(services, hooks)],
  rawLimit: 8 * 1024 * 1024,
}))
beforeEach(async () => {
  ann = await test.person(randomUUID())
})

const bytesOf = async function* (text: string) {
  yield Buffer.from(text)
}
const expected = async (text: string, query = '', sent = text): Promise<Expected> => {
  const url = `/api/imports/preview?name=reviews.csv&size=${Buffer.byteLength(text)}${query}`
  return (await test.call('POST', url, { as: ann, payload: sent })).json().expected
}
const importText = async (text: string, options = {}) => {
  const { id } = await createImport(
    test.services,
    ann.workspaceId,
    { name: 'reviews.csv', onConflict: 'replace', ...options },
    bytesOf(text),
    { background: false },
  )
  return runImport(test.services, ann.workspaceId, id, hooks)
}

const complaint = (at: number) => `${at},2026-03-${String((at % 9) + 1).padStart(2, '0')},Ann ${at},Export ${at} fails`
const replies = [
  'Hi Bo, thanks for reaching out! We have forwarded this to our engineering team.',
  'Hello Ann, sorry for the trouble. Could you please send us a screenshot?',
  'Thank you for your patience, our team is looking into this.',
  'We have released a fix, please update the app and let us know.',
  'Hi Cem, thanks for your feedback, we will pass it on to our product team.',
  'We apologize for the inconvenience. Please contact our support team.',
]
const head = 'id,date,author,text'
const ownReplies = replies.map((text, at) => `r${at},2026-04-01,Ines,"${text}"`)

describe('what a preview says an import will add', () => {
  it.each([
    ['with dates', [head, ...[1, 2, 3, 4, 5, 6, 7].map(complaint)]],
    ['without a date here and there', [head, ...[1, 2, 3].map(complaint), '4,,Bo,It is slow', '5,soon,Cy,Too dear']],
    ['with replies of the own side, told by how they are written', [head, ...[1, 2, 3].map(complaint), ...ownReplies]],
    [
      'with replies of the own side, told by a column',
      [`${head},role`, `${complaint(1)},user`, '2,2026-03-03,Ines,We look into it,agent', `${complaint(3)},user`],
    ],
    [
      'with repeated and bad rows',
      [head, complaint(1), '1,2026-03-02,Ann,Another text', '2,2026-03-02,Bo,', complaint(3)],
    ],
    ['without dates', ['message', 'The lift is slow', 'The door is stuck']],
  ])('%s is what it adds', async (_, lines) => {
    const text = lines.join('\n')
    const promised = await expected(text)
    const ended = await importText(text)
    expect(ended).toMatchObject({
      state: 'done',
      added: promised.messages,
      context: promised.own,
      repeated: promised.repeated,
      bad: promised.bad,
      undated: promised.undated,
    })
    expect(promised).toMatchObject({ whole: true, about: promised.messages })
  })

  it('names the first and the last date, and shows five messages as they will be stored', async () => {
    const text = [head, ...[1, 2, 3, 4, 5, 6, 7].map(complaint), '8,,Bo,It is slow', ...ownReplies].join('\n')
    expect(await expected(text)).toEqual({
      messages: 8,
      whole: true,
      about: 8,
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-08T00:00:00.000Z',
      days: true,
      from_date_only: true,
      to_date_only: true,
      undated: 1,
      own: 6,
      repeated: 0,
      bad: 0,
      samples: [1, 2, 3, 4, 5].map((at) => ({
        text: `Export ${at} fails`,
        author: `Ann ${at}`,
        customer: null,
        place: 'reviews.csv',
        date: `2026-03-0${at + 1}T00:00:00.000Z`,
        date_only: true,
        link: null,
      })),
    })
  })

  it('follows the chosen columns, and what replies of the own side are', async () => {
    const text = [head, ...[1, 2, 3].map(complaint), ...ownReplies].join('\n')
    const mapping = (value: object) => `&mapping=${encodeURIComponent(JSON.stringify(value))}`
    const byAuthor = await expected(text, mapping({ text: 'author', date: 'date' }))
    expect(byAuthor.samples[0]).toMatchObject({ text: 'Ann 1', author: null })
    expect(byAuthor).toMatchObject({ messages: 9, own: 0 })
    expect(await expected(text, mapping({ text: 'text', author: 'author' }))).toMatchObject({ from: null, undated: 3 })
    expect(await expected(text, '&own_replies=feedback')).toMatchObject({ messages: 9, own: 0 })
  })

  it('is about the whole file, although only its first part was sent', async () => {
    const text = [head, ...Array.from({ length: 9_000 }, (_, at) => complaint(at))].join('\n')
    const { whole, messages, about } = await expected(text, '', text.slice(0, 200_000))
    expect(whole).toBe(false)
    expect(messages).toBeLessThan(6_000)
    expect(Math.abs((about ?? 0) - 9_000)).toBeLessThan(450)
  })
})

it('lets others be answered while many messages are looked at', async () => {
  const items = Array.from({ length: 100_000 }, (_, at) => ({
    externalId: String(at),
    text: 'x',
    author: null,
    at: new Date(0),
    link: null,
    thread: null,
    place: null,
  }))
  let done = false
  const seen = expectedOf({ items, bad: 0, whole: true, share: 1 }, async () => null).finally(() => {
    done = true
  })
  let meanwhile = 0
  for (; !done; meanwhile += 1) await nextTurn()
  expect((await seen).messages).toBe(items.length)
  expect(meanwhile).toBeGreaterThan(90)
})
