import { Why } from '@groundswell/contract/corrections.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { fileConnection } from './features/connections/index.ts'
import { storeItems } from './features/feedback/index.ts'
import { inWorkspace } from './platform/db/tenant.ts'
import { testWorkspace } from './platform/db/testing.ts'
import { believingServer, testServices } from './platform/http/testing.ts'
import { duringTests } from './platform/testing.ts'
import { feedbackHooks, handlers, jobs } from './wiring.ts'

/** What is said of three subjects, each time in other words. */
const SAID = {
  login: [
    'I cannot log in since this morning',
    'The sign-in page rejects my password',
    'My account is locked and I am unable to get in',
    'Logging in fails with an unknown error',
    'It says my credentials are wrong although they are correct',
  ],
  dark: [
    'Please add a dark mode',
    'A night theme would be great',
    'I would love a darker colour scheme for the evening',
    'Could you offer a black theme',
    'Dark theme, please, my eyes hurt',
  ],
  invoice: [
    'The invoice shows the wrong tax number',
    'Our VAT ID on the bill is incorrect',
    'Invoices carry an outdated VAT number',
    'Accounting refuses your bills because the tax details are wrong',
    'Please correct the VAT ID that is printed on my invoices',
  ],
}

let workspace: string
const test = duringTests(() => testServices({ encoder: {} }))

const app = duringTests(() => believingServer(test.services, handlers(test.services)))

beforeAll(async () => {
  workspace = await testWorkspace(test.services.db)
  // Without sweeps: nothing waits for the next minute.
  for (const worker of jobs(test.services).filter(({ name }) => !name.endsWith('-sweep'))) {
    await worker.start(test.services.queue)
  }
})

type Said = { id: string; text: string; thread?: string }

/** Stores messages as a source does. */
async function arrive(messages: readonly Said[]): Promise<void> {
  await inWorkspace(test.services.db, workspace, async (tx) => {
    const connection = await fileConnection(tx, workspace)
    const items = messages.map(({ id, text, thread = null }) => {
      return { externalId: id, text, author: `person ${id}`, at: new Date(), link: null, thread, place: null }
    })
    await storeItems(tx, workspace, connection.id, items)
    await feedbackHooks(test.services).stored(tx, workspace)
  })
}

type Place = { mention: string; issue: number | null; reason: string }
async function placeOf(message: string): Promise<Place> {
  const { rows } = await inWorkspace(test.services.db, workspace, (tx) =>
    sql<Place>`
      select s.item_id || ':' || s.number as mention, s.issue_number as issue, s.reason
      from statement s join feedback_item item on item.id = s.item_id where item.external_id = ${message}`.execute(tx),
  )
  return rows[0] ?? { mention: '', issue: null, reason: '' }
}
/** The insight of a message, as soon as it is in one. */
const joined = (message: string) => expect.poll(() => placeOf(message))

async function why(message: string): Promise<Why> {
  const { issue, mention } = await placeOf(message)
  const url = `/api/insights/${issue}/evidence/${mention}/why`
  const answer = await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${workspace}` } })
  return Why.parse(answer.json())
}

it('judges a new message by its meaning as soon as it arrives, and says which mentions it is like', async () => {
  await arrive(
    Object.entries(SAID).flatMap(([subject, texts]) => texts.map((text, n) => ({ id: `${subject}${n}`, text }))),
  )
  for (const subject of Object.keys(SAID)) await joined(`${subject}0`).toMatchObject({ issue: expect.any(Number) })
  const { issue } = await placeOf('login0')
  await arrive([{ id: 'new', text: 'Access denied whenever I try to sign in' }])
  await joined('new').toMatchObject({ issue, reason: 'means nearly the same' })
  const found = await why('new')
  expect(found).toMatchObject({
    rule: 'It means nearly the same as mentions of this insight, in other words.',
    terms: [],
    meant: [],
    model: 'all-MiniLM-L6-v2-feedback',
    replies_to: null,
  })
  const nearest = found.nearest ?? []
  expect(nearest).toHaveLength(3)
  expect(nearest.map(({ author }) => author)).toEqual(expect.arrayContaining([expect.stringMatching(/^person login/)]))
  expect(nearest.map(({ similarity }) => similarity)).toEqual(
    nearest.map(({ similarity }) => similarity).sort((a, b) => b - a),
  )
  expect(nearest[0]?.similarity).toBeGreaterThan(0.4)
})

it('keeps a reply with what it replies to, and quotes that', async () => {
  await arrive([
    { id: 'first', text: 'The login button does nothing, so I am locked out', thread: 't' },
    { id: 'agrees', text: '+1', thread: 't' },
    { id: 'names', text: '+1, Okta here', thread: 't' },
    { id: 'adds', text: 'It does not react for my colleagues either when they log in', thread: 't' },
  ])
  const { issue } = await placeOf('login0')
  for (const id of ['first', 'agrees', 'names', 'adds']) await joined(id).toMatchObject({ issue })
  const start = { author: 'person first', text: 'The login button does nothing, so I am locked out' }
  for (const id of ['agrees', 'names']) {
    expect(await why(id)).toMatchObject({
      rule: 'It agrees with the message that began its conversation.',
      replies_to: start,
      terms: [],
      nearest: [],
    })
  }
  expect(await why('adds')).toMatchObject({
    rule: 'It replies to a message of this insight and is about nothing else.',
    replies_to: start,
    terms: [],
  })
  expect((await why('first')).replies_to).toBeNull()
})
