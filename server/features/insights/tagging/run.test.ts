import { previewTags } from '@groundswell/contract/insights/tags.ts'
import { Insight } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { groupNow } from '../grouping/run.ts'
import { raiseRevision } from '../revision.ts'
import { noteRenamed } from '../store.ts'
import { withWorld, world } from '../testing.ts'
import { retag, tagInsights } from './jobs.ts'
import { lookForTagWork, type TagProgress, tagWorkspace } from './run.ts'

const AREA = { name: 'Area', description: 'One of Billing, Login or Export: which part of the product it is about.' }
const SHARE = { name: 'Share', description: 'The share of all mentions that this insight has, in percent' }
const PEOPLE = { name: 'People', description: 'How many customers have mentioned this insight so far, in total' }
const QUIET = { name: 'Quiet', description: 'Days since the last mention of this insight, as a number' }

let workspace: string

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-04T10:20:00Z')
  workspace = await world.workspace()
})

const say = (text: string, count = 4) =>
  Array.from({ length: count }, (_, at) => ({ message: `${text} (${at})`, text: `${text} (${at})` }))

async function want(tags: readonly { name: string; description: string }[], of = workspace): Promise<void> {
  const settings = { method: 'auto', min_inputs: 3, categories: tags }
  await world.inside(of, async (tx) => {
    await sql`update workspace set settings = ${JSON.stringify(settings)}::jsonb`.execute(tx)
    await retag(world.services)(tx, of)
  })
}

async function tagged(of = workspace): Promise<Record<number, Record<string, unknown>>> {
  const list = z.array(Insight).parse((await world.call(of, 'GET', '/api/insights/get-all')).body)
  return Object.fromEntries(
    list.map((one) => [
      one.issue_number,
      Object.fromEntries(one.categories.map((tag) => [tag.cat_name, tag.option_value])),
    ]),
  )
}

const run = () => tagWorkspace(world.services, workspace)
const waits = () =>
  world.inside(workspace, async (tx) => (await lookForTagWork(world.services, tx, workspace)) === 'due')
const revision = async () =>
  (
    await world.inside(workspace, (tx) =>
      sql<{ revision: number }>`select revision from workspace where workspace_id = ${workspace}`.execute(tx),
    )
  ).rows[0]?.revision

describe('tags set by the engine', () => {
  test('are stored by the grouping that creates the insight, in the same transaction', async () => {
    await want([AREA, PEOPLE])
    const texts = [
      'CSV export fails for large reports',
      'the csv export fails',
      'CSV export fails again',
      'my csv export fails',
    ]
    await world.store(
      workspace,
      texts.map((text, at) => ({ id: `${at}`, text, author: `p${at}` })),
    )
    await groupNow(world.services, workspace)
    expect(Object.values(await tagged())).toEqual([{ Area: 'Export', People: 4 }])
    expect(await waits()).toBe(false)
  })

  test('have their kind and a distinct colour, and name the engine as their author', async () => {
    for (const [at, text] of ['the export fails', 'my invoice and billing are wrong', 'the login fails'].entries()) {
      await world.insight(workspace, at + 1, say(text))
    }
    await want([AREA, SHARE])
    await run()
    const list = z.array(Insight).parse((await world.call(workspace, 'GET', '/api/insights/get-all')).body)
    const tags = list.map(({ categories }) => categories)
    expect(tags.map(([area]) => area?.option_value)).toEqual(expect.arrayContaining(['Billing', 'Export', 'Login']))
    expect(new Set(tags.map(([area]) => area?.option_colour)).size).toBe(3)
    expect(tags[0]).toMatchObject([
      { cat_type: 'category', set_by: 'engine' },
      { cat_type: 'calculated', option_value: 33.3, option_colour: null, set_by: 'engine' },
    ])
  })

  test('are updated when new mentions say something else', async () => {
    await want([AREA, PEOPLE])
    await world.insight(workspace, 1, say('the export fails'))
    await run()
    expect(await tagged()).toEqual({ 1: { Area: 'Export', People: 4 } })
    world.now = new Date('2026-03-04T10:21:00Z')
    await world.insight(workspace, 1, say('the map is blank', 30))
    expect(await waits()).toBe(true)
    await run()
    expect((await tagged())[1]?.['Area']).toBeUndefined()
  })

  test('are replaced by a person’s value, and return when that is removed', async () => {
    await want([AREA])
    await world.insight(workspace, 1, say('the export fails'))
    await run()
    const change = (changes: object[]) => world.call(workspace, 'PATCH', '/api/insights/1/tags', {}, { changes })
    await change([{ cat_name: 'Area', option_value: 'Login' }])
    expect(await waits()).toBe(false)
    await world.insight(workspace, 1, say('the export is slow'))
    await run()
    expect(await tagged()).toEqual({ 1: { Area: 'Login' } })
    const { body } = await change([{ cat_name: 'Area', automatic: true }])
    expect(body).toMatchObject({ categories: [{ option_value: 'Export', set_by: 'engine' }] })
  })

  test('follow the settings: another description, another name, no tags at all', async () => {
    await world.insight(workspace, 1, say('the export fails'))
    await want([AREA])
    await run()
    await want([{ ...AREA, description: 'One of Money, Doors or Files, where Files means export or import of data.' }])
    await run()
    expect((await tagged())[1]?.['Area']).not.toBe('Export')
    await want([{ ...AREA, name: 'Part' }])
    expect(await tagged()).toEqual({ 1: {} })
    await run()
    expect(await tagged()).toEqual({ 1: { Part: 'Export' } })
    await want([])
    expect((await world.call(workspace, 'GET', '/api/tags/progress')).body).toEqual({ done: 1, all: 1 })
    expect(await waits()).toBe(true)
    await run()
    expect(await waits()).toBe(false)
    const left = await world.inside(workspace, (tx) => sql`select tag from insight_tag`.execute(tx))
    expect(left.rows).toEqual([])
  })

  test('belong to one workspace: another one is neither read nor changed', async () => {
    const other = await world.workspace()
    await world.insight(other, 1, say('the export fails'))
    await world.insight(workspace, 1, say('the login fails'))
    await want([AREA, SHARE])
    await run()
    expect(await tagged()).toEqual({ 1: { Area: 'Login', Share: 100 } })
    expect(await tagged(other)).toEqual({ 1: {} })
  })

  test('follow a person’s name of the insight immediately, and the engine’s when that is removed', async () => {
    await want([AREA])
    await world.insight(workspace, 1, say('it stops half way'))
    await run()
    expect(await tagged()).toEqual({ 1: {} })
    const name = 'The export stops for large teams'
    const { body } = await world.call(workspace, 'POST', '/api/insights/1/corrections', {}, { kind: 'rename', name })
    expect(await waits()).toBe(false)
    expect(await tagged()).toEqual({ 1: { Area: 'Export' } })
    const { correction_id: id } = body as { correction_id: string }
    expect((await world.call(workspace, 'POST', `/api/corrections/${id}/undo`, {}, {})).status).toBe(200)
    expect(await waits()).toBe(false)
    expect(await tagged()).toEqual({ 1: {} })
  })

  test('follow the language model’s name while that is the one shown', async () => {
    await want([AREA])
    await world.insight(workspace, 1, say('it stops half way', 2))
    await world.insight(workspace, 1, say('stops the export half way', 1))
    await run()
    expect(await tagged()).toEqual({ 1: {} })
    await world.inside(workspace, async (tx) => {
      const revision = await raiseRevision(tx, workspace)
      await sql`update insight set described_hash = 'h'`.execute(tx)
      await sql`
        insert into model_description (workspace_id, issue_number, described_hash, mention_count, name, summary, model,
          prompt_version, made_at)
        values (${workspace}, 1, 'h', 3, 'CSV export stops', 'The export of CSV files stops half way', 'm', '1', now())`.execute(
        tx,
      )
      await noteRenamed(tx, workspace, 1, { from: 'issue 1', to: 'CSV export stops' }, { revision, at: world.now })
      await tagInsights(world.services)(tx, workspace, [1])
    })
    expect(await waits()).toBe(false)
    expect(await tagged()).toEqual({ 1: { Area: 'Export' } })
  })

  test('are not set on insights that are not shown', async () => {
    await world.insight(workspace, 1, say('the export fails'))
    await world.inside(workspace, (tx) => sql`update insight set hidden = true`.execute(tx))
    await want([AREA])
    await run()
    const rows = await world.inside(workspace, (tx) => sql`select * from insight_tag`.execute(tx))
    expect(rows.rows).toEqual([])
    expect(await waits()).toBe(false)
  })
})

describe('tagging', () => {
  test('twice changes nothing, not even the revision', async () => {
    await want([AREA, SHARE, QUIET])
    await world.insight(workspace, 1, say('the export fails'))
    await run()
    const before = [await revision(), await tagged()]
    await run()
    expect([await revision(), await tagged()]).toEqual(before)
  })

  test('recounts values that change with time after an hour, and not before', async () => {
    await want([AREA, QUIET])
    await world.insight(workspace, 1, say('the export fails'))
    await world.inside(workspace, (tx) => sql`update insight set last_seen = ${world.now}`.execute(tx))
    await run()
    expect((await tagged())[1]).toEqual({ Area: 'Export', Quiet: 0 })
    world.now = new Date('2026-03-04T11:19:59Z')
    expect(await waits()).toBe(false)
    world.now = new Date('2026-03-06T11:20:00Z')
    expect(await waits()).toBe(true)
    await run()
    expect((await tagged())[1]).toEqual({ Area: 'Export', Quiet: 2 })
    expect(await waits()).toBe(false)
  })

  test('does not check every hour tags that depend only on words and people', async () => {
    await want([AREA, PEOPLE])
    await world.insight(workspace, 1, say('the export fails'))
    await run()
    world.now = new Date('2026-03-09T10:20:00Z')
    expect(await waits()).toBe(false)
  })

  test('resumes where it was stopped, and two runs at the same time give the same result', async () => {
    await want([AREA, SHARE])
    for (let number = 1; number <= 120; number++) await world.insight(workspace, number, say('the export fails', 3))
    await world.inside(workspace, (tx) => sql`update insight set name = 'the export fails'`.execute(tx))
    const stopping = new AbortController()
    const reported: TagProgress[] = []
    const finished = await tagWorkspace(world.services, workspace, {
      signal: stopping.signal,
      progress: (progress) => {
        reported.push(progress)
        stopping.abort()
      },
    })
    expect(finished).toBe(false)
    expect(reported).toEqual([{ done: 50, all: 120 }])
    expect((await world.call(workspace, 'GET', '/api/tags/progress')).body).toEqual({ done: 50, all: 120 })
    expect(await waits()).toBe(true)
    await Promise.all([run(), tagWorkspace(world.otherProcess(), workspace)])
    expect(await waits()).toBe(false)
    const values = Object.values(await tagged())
    expect(values).toHaveLength(120)
    expect(values.every((one) => one['Area'] === 'Export' && one['Share'] === 0.8)).toBe(true)
  })

  test('loses nothing when its transaction is rolled back', async () => {
    await want([AREA])
    await world.insight(workspace, 1, say('the export fails'))
    const ended = world.inside(workspace, async (tx) => {
      await tagInsights(world.services)(tx, workspace, [1])
      throw new Error('ended here')
    })
    await expect(ended).rejects.toThrow('ended here')
    expect(await tagged()).toEqual({ 1: {} })
    expect(await waits()).toBe(true)
    await run()
    expect(await tagged()).toEqual({ 1: { Area: 'Export' } })
  })

  test('loses nothing when the database closes all connections in the middle of a batch', async () => {
    await want([AREA])
    const many = sql`insert into insight (workspace_id, issue_number, name, summary)
      select ${workspace}, number, 'The export fails', 'The export fails.' from generate_series(1, 120) as number`
    await world.inside(workspace, (tx) => many.execute(tx))
    let parts = 0
    world.services.now = () => {
      parts += 1
      if (parts === 2) cut = cutOthers.execute(world.services.db.kysely)
      return world.now
    }
    let cut: Promise<unknown> = Promise.resolve()
    const cutOthers = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where usename = current_user and datname = current_database() and pid <> pg_backend_pid()`
    await run().catch(() => undefined)
    await cut
    world.services.now = () => world.now
    expect(parts).toBeGreaterThanOrEqual(2)
    await run()
    const values = Object.values(await tagged())
    expect(values).toHaveLength(120)
    expect(values.every((one) => one['Area'] === 'Export')).toBe(true)
    expect(await waits()).toBe(false)
  })
})

describe('a preview of tags', () => {
  const tryOut = async (categories: object[]) =>
    previewTags.reply.parse((await world.call(workspace, 'POST', '/api/tags/preview', {}, { categories })).body).tags

  test('shows the values of each on the latest insights, and changes nothing', async () => {
    for (let number = 1; number <= 7; number++) await world.insight(workspace, number, say('the export fails'))
    await world.insight(workspace, 8, say('the login fails', 6))
    await world.insight(workspace, 9, say('the map is blank'))
    const before = await revision()
    const [area, share, unclear] = await tryOut([
      AREA,
      SHARE,
      { name: 'Owner', description: 'Which of our teams should look at this insight first' },
    ])
    expect(area).toMatchObject({
      cat_type: 'category',
      understood: 'One of: Billing, Login, Export',
      insights: 9,
      matched: 8,
    })
    expect(area?.options.map(({ option_value, count, examples }) => [option_value, count, examples.length])).toEqual([
      ['Billing', 0, 0],
      ['Login', 1, 1],
      ['Export', 7, 5],
    ])
    expect(share).toMatchObject({ cat_type: 'calculated', matched: 9, options: [] })
    expect(share?.examples[0]).toEqual({ issue_number: 8, issue_name: 'issue 8', option_value: 15.8 })
    expect(unclear).toMatchObject({ cat_type: null, matched: 0, options: [], examples: [] })
    expect([await revision(), await tagged()]).toEqual([before, expect.objectContaining({ 8: {} })])
  })

  test('without insights says how descriptions are read, with the values that are listed in it', async () => {
    await world.insight(workspace, 1, say('the export fails'))
    const area = {
      name: 'Area',
      description: 'Billing (invoices, payments, refunds), Login (passwords, SSO), Export (CSV and PDF files)',
    }
    const { body } = await world.call(
      workspace,
      'POST',
      '/api/tags/preview',
      {},
      { categories: [area, SHARE], on_insights: false },
    )
    const [read, share] = previewTags.reply.parse(body).tags
    expect(read).toMatchObject({ cat_type: 'category', insights: 0, matched: 0, examples: [] })
    expect(read?.options.map(({ option_value, count }) => [option_value, count])).toEqual([
      ['Billing', 0],
      ['Login', 0],
      ['Export', 0],
    ])
    expect(share).toMatchObject({ cat_type: 'calculated', matched: 0 })
  })

  test('reads the 200 latest insights', async () => {
    const made = sql`insert into insight (workspace_id, issue_number, name, summary)
      select ${workspace}, number, 'The export fails', 'The export fails.' from generate_series(1, 230) as number`
    await world.inside(workspace, (tx) => made.execute(tx))
    expect((await tryOut([AREA]))[0]).toMatchObject({ insights: 200, matched: 200 })
  })

  test('refuses a description that is too short, with the field', async () => {
    const { status, body } = await world.call(
      workspace,
      'POST',
      '/api/tags/preview',
      {},
      {
        categories: [{ name: 'Area', description: 'too short' }],
      },
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ fields: { 'categories.0.description': expect.any(String) } })
  })
})
