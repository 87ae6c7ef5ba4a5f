import type { Correction, CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { believingServer } from '../../../../platform/http/testing.ts'
import { duringTests } from '../../../../platform/testing.ts'
import { insightRoutes, readLabelled, requestReading } from '../../../insights/index.ts'
import { World } from '../../testing.ts'
import { messagesOf, ReadingWorld, replying } from './testing.ts'

const CSV = [
  'The CSV export stops half way.',
  'CSV export stops after some rows.',
  'Our export to CSV stops in the middle.',
  'Export as CSV stops before the end.',
]
const LOGINS = [
  'I cannot log in with single sign-on.',
  'Single sign-on login does not work for us.',
  'Our people cannot log in by single sign-on.',
  'Login with single sign-on is broken today.',
]
/** Read as if it were about the export. */
const MISREAD = 'CSV export stops for me, nobody gets in.'
const CSV_POINT = 'CSV export stops before it is complete'
const LOGIN_POINT = 'Login with single sign-on fails'

const pointsIn = ({ text }: { text: string }) => [
  { kind: 'problem', point: /single/i.test(text) ? LOGIN_POINT : CSV_POINT, quote: text },
]

let reading: ReadingWorld
let workspaceId: string
let csv: number
let logins: number
let mention: string

const world = duringTests(() => World.start())

const app = duringTests(() => believingServer(world.services, insightRoutes(world.services)))
beforeEach(async () => {
  reading = await ReadingWorld.start(world)
  workspaceId = reading.company.workspaceId
  reading.model.script = replying(pointsIn)
  await reading.company.store([...CSV, ...LOGINS, MISREAD].map((text, at) => ({ id: `x${at}`, text })))
  await reading.company.group()
  await reading.choose({ scope: 'all' })
  await reading.run()
  await reading.company.group()
  const placed = await reading.company.placed()
  const issueOf = (text: string) => placed.find((one) => one.text === text)?.issue ?? 0
  csv = issueOf(CSV[0] as string)
  logins = issueOf(LOGINS[0] as string)
  if (csv === 0 || logins === 0 || csv === logins || issueOf(MISREAD) !== csv) throw new Error('grouped otherwise')
  mention = (await mentionsOf(csv)).find(({ text }) => text === MISREAD)?.id ?? ''
})
afterEach(() => reading.model.stop())

async function call<T>(method: 'GET' | 'POST', url: string, payload?: object): Promise<{ status: number; body: T }> {
  const headers = { authorization: `Bearer ${workspaceId}` }
  const response = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return { status: response.statusCode, body: response.json<T>() }
}
const mentionsOf = async (issue: number) =>
  (await call<{ mentions: Mention[] }>('GET', `/api/insights/${issue}/evidence?limit=50`)).body.mentions
const readAs = async (issue: number) => (await mentionsOf(issue)).find(({ text }) => text === MISREAD)
const corrections = async (issue: number) =>
  (await call<{ corrections: Correction[] }>('GET', `/api/insights/${issue}/corrections`)).body.corrections

/** Sends a correction of the misread mention, and groups. */
async function correct(point: string | null, issue = csv) {
  const body: CorrectionRequest = { kind: 'point', mention, point }
  const made = await call<Correction>('POST', `/api/insights/${issue}/corrections`, body)
  await reading.company.group()
  return made
}
const undo = async (id: string) => {
  const made = await call<{ state: string; message: string }>('POST', `/api/corrections/${id}/undo`, {})
  await reading.company.group()
  return made
}
const again = () =>
  world.inside(workspaceId, (tx) =>
    requestReading(tx, workspaceId, Number(mention.slice(0, mention.indexOf(':'))), world.now),
  )

test('a person corrects what a mention is read as, and the engine groups it by that', async () => {
  const made = await correct(LOGIN_POINT)
  expect(made).toMatchObject({ status: 200, body: { state: 'applied' } })
  expect(await readAs(csv)).toBeUndefined()
  expect(await readAs(logins)).toMatchObject({
    id: mention,
    text: MISREAD,
    read_as: LOGIN_POINT,
    read_as_set_by: 'person',
  })
  expect((await mentionsOf(csv)).every((one) => one.read_as_set_by === undefined)).toBe(true)
  expect(await corrections(csv)).toMatchObject([{ kind: 'point', point: LOGIN_POINT, mentions: 1, can_undo: true }])
  const { body } = await call<InsightDetail>('GET', `/api/insights/${csv}/detail`)
  expect(body.history).toContainEqual(expect.objectContaining({ event: 'point', from: CSV_POINT, to: LOGIN_POINT }))
  await world.inside(workspaceId, (tx) => sql`update engine_state set state = null, grouped_seq = 0`.execute(tx))
  await reading.company.store([{ id: 'more', text: 'one more login with single sign-on that fails' }])
  await reading.company.group(world.otherProcess())
  expect(await readAs(logins)).toMatchObject({ read_as: LOGIN_POINT })
})

test('it is a labelled correction until it is undone', async () => {
  const labelled = () => world.inside(workspaceId, (tx) => readLabelled(tx, workspaceId, 10))
  const { body } = await correct(LOGIN_POINT)
  expect(await labelled()).toMatchObject([{ kind: 'point', about: [mention], name: LOGIN_POINT }])
  await undo(body.correction_id)
  expect(await labelled()).toEqual([])
})

test('it is shown before the next grouping, and undone in one step', async () => {
  const body: CorrectionRequest = { kind: 'point', mention, point: LOGIN_POINT }
  const made = await call<{ correction_id: string }>('POST', `/api/insights/${csv}/corrections`, body)
  expect(await readAs(csv)).toMatchObject({ read_as: LOGIN_POINT, read_as_set_by: 'person' })
  await reading.company.group()
  expect(await undo(made.body.correction_id)).toMatchObject({ status: 200, body: { state: 'undone' } })
  const back = await readAs(csv)
  expect(back).toMatchObject({ read_as: CSV_POINT })
  expect(back).not.toHaveProperty('read_as_set_by')
  expect(await corrections(csv)).toMatchObject([{ state: 'undone', can_undo: false }])
  expect(await again()).toBe('requested')
})

test('corrections of one mention are undone in turn, and null restores what was read', async () => {
  const first = await correct(LOGIN_POINT)
  const second = await correct('Login fails every morning', logins)
  expect((await undo(first.body.correction_id)).body.message).toBe(
    'The same correction was made again since: undo that one first',
  )
  expect((await undo(second.body.correction_id)).status).toBe(200)
  expect(await readAs(logins)).toMatchObject({ read_as: LOGIN_POINT, read_as_set_by: 'person' })
  expect(await correct(null, logins)).toMatchObject({ status: 200 })
  expect(await readAs(csv)).toMatchObject({ read_as: CSV_POINT })
})

test('neither reading again nor a reply that arrives during it replaces what a person said', async () => {
  expect(await again()).toBe('requested')
  await reading.runDuringStep(async (tx) => {
    await sql`
      update model_reading set corrected = true, again = false, points = jsonb_set(points, '{0,read}', '"x"')
      where item_id = ${mention.split(':')[0]}::bigint`.execute(tx)
  })
  await reading.company.group()
  expect(await readAs(csv)).toMatchObject({ read_as: CSV_POINT, read_as_set_by: 'person' })
  expect(await again()).toBe('kept')
  await reading.choose({ scope: 'all' })
  reading.model.heard.length = 0
  await reading.run()
  expect(reading.model.heard.flatMap((one) => messagesOf(one)).map(({ text }) => text)).not.toContain(MISREAD)
})

test('later messages with the same words are read as the person said', async () => {
  await correct(LOGIN_POINT)
  await reading.company.store([{ id: 'copy', text: MISREAD }])
  await reading.company.group()
  await reading.run()
  await reading.company.group()
  expect(await reading.mentionsOf('copy')).toMatchObject([{ text: MISREAD, point: LOGIN_POINT }])
})

test('it goes with an edit and with the message, and cannot be undone then', async () => {
  const { body } = await correct(LOGIN_POINT)
  await reading.company.store([{ id: 'x8', text: `${MISREAD} Since May.` }])
  await reading.company.group()
  expect((await undo(body.correction_id)).body.message).toBe('The message was changed or deleted since')
  const { rows } = await world.inside(workspaceId, (tx) => sql`select from model_reading where corrected`.execute(tx))
  expect(rows).toEqual([])
})

test('a mention with a rule, and a kind by a person, keeps them', async () => {
  const moved: CorrectionRequest = { kind: 'move', mentions: [mention], to: logins }
  await call('POST', `/api/insights/${csv}/corrections`, moved)
  await reading.company.group()
  await correct('Login is slow in the morning', logins)
  expect(await readAs(logins)).toMatchObject({ id: mention, read_as: 'Login is slow in the morning' })
})

describe('a mention in no insight', () => {
  const ALONE = 'Nobody finds the guest list any more.'
  const alone = async () => {
    const { body } = await call<{ mentions: Mention[] }>('GET', '/api/ungrouped')
    return body.mentions.find(({ text }) => text === ALONE)
  }
  const correctAlone = async (point: string | null) => {
    const made = await call<Correction>('POST', '/api/feedback-point', { mention: (await alone())?.id, point })
    await reading.company.group()
    return made
  }
  beforeEach(async () => {
    reading.model.script = replying(({ text }) => [{ kind: 'problem', point: 'Guest list is missing', quote: text }])
    await reading.company.store([{ id: 'alone', text: ALONE }])
    await reading.company.group()
    await reading.run()
    await reading.company.group()
    if ((await alone())?.read_as !== 'Guest list is missing') throw new Error('grouped otherwise')
  })

  test('is corrected, undone, and grouped by what a person said', async () => {
    const made = await correctAlone('Lift is out of order')
    expect(made).toMatchObject({ status: 200, body: { state: 'applied', changes: [] } })
    expect(await alone()).toMatchObject({ read_as: 'Lift is out of order', read_as_set_by: 'person' })
    const { body } = await call<{ mentions: Mention[] }>('GET', '/api/feedback/search?words=guest')
    expect(body.mentions).toMatchObject([{ read_as: 'Lift is out of order', read_as_set_by: 'person' }])
    expect(await correctAlone('Lift is out of order')).toMatchObject({ status: 409 })
    expect((await undo(made.body.correction_id)).body).toMatchObject({ state: 'undone' })
    expect(await alone()).toMatchObject({ read_as: 'Guest list is missing' })
    const joined = await correctAlone(CSV_POINT)
    expect(await alone()).toBeUndefined()
    expect((await mentionsOf(csv)).find(({ text }) => text === ALONE)).toMatchObject({
      read_as: CSV_POINT,
      read_as_set_by: 'person',
    })
    expect(await undo(joined.body.correction_id)).toMatchObject({ status: 200 })
    expect(await reading.mentionsOf('alone')).toMatchObject([{ point: 'Guest list is missing' }])
  })

  test('teaches later messages with the same words, is a labelled correction, and stays when groups are made again', async () => {
    await correctAlone('Lift is out of order')
    const labelled = await world.inside(workspaceId, (tx) => readLabelled(tx, workspaceId, 10))
    expect(labelled).toMatchObject([{ kind: 'point', about: [(await alone())?.id], name: 'Lift is out of order' }])
    await world.inside(workspaceId, (tx) => sql`update engine_state set state = null, grouped_seq = 0`.execute(tx))
    await reading.company.store([{ id: 'copy', text: ALONE }])
    await reading.company.group(world.otherProcess())
    await reading.run()
    await reading.company.group()
    expect(await reading.mentionsOf('alone')).toMatchObject([{ point: 'Lift is out of order' }])
    expect(await reading.mentionsOf('copy')).toMatchObject([{ text: ALONE, point: 'Lift is out of order' }])
  })

  test('is corrected in its insight when it has joined one meanwhile', async () => {
    const body = { mention, point: LOGIN_POINT }
    expect(await call('POST', '/api/feedback-point', body)).toMatchObject({
      status: 200,
      body: { state: 'applied', changes: [{ issue_number: csv }] },
    })
    expect(await corrections(csv)).toMatchObject([{ kind: 'point', point: LOGIN_POINT, can_undo: true }])
    expect(await call('POST', '/api/feedback-point', { ...body, mention: '999999:0' })).toMatchObject({ status: 404 })
  })
})

test('is refused for a mention that is elsewhere, was not read, or is read as that already', async () => {
  expect(await correct(LOGIN_POINT, logins)).toMatchObject({ status: 409 })
  expect(await correct(CSV_POINT)).toMatchObject({ status: 409, body: { message: 'It is read as that already' } })
  expect(await correct('')).toMatchObject({ status: 400 })
  expect(await correct('two\nlines')).toMatchObject({ status: 400 })
  await world.inside(workspaceId, (tx) =>
    sql`update model_reading set state = 'waiting' where points is not null`.execute(tx),
  )
  expect(await correct(LOGIN_POINT)).toMatchObject({ status: 409 })
})
