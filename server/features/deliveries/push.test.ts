import { Rejected } from '@groundswell/connectors/kit/errors.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { considerPush } from './ask.ts'
import { sweepDeliveries } from './jobs.ts'
import { deliver } from './send.ts'
import { eachWithReceiver, receiver, workspace, world } from './testing.ts'

eachWithReceiver()

test('an insight is pushed automatically at the threshold, not before, with its exact quotes', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 2)
  expect(await world.deliveries(workspace)).toEqual([])
  await world.say(workspace, 1, 1)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(1)
  const [delivery] = await world.deliveries(workspace)
  expect(delivery).toMatchObject({ event: 'insight.created', state: 'delivered', attempts: 1, last_status: 204 })
  const { payload, id } = receiver.received[0] as (typeof receiver.received)[0]
  expect(id).toBe(delivery?.event_id)
  expect(payload).toMatchObject({ type: 'insight.created', delivery_id: id, data: { new_mentions: 3 } })
  expect(payload.data.insight).toMatchObject({ issue_number: 1, mention_count: 3, status: 'created' })
  expect(Object.keys(payload.data.insight).toSorted()).toEqual([
    'categories',
    'first_seen',
    'id',
    'issue_name',
    'issue_number',
    'last_seen',
    'mention_count',
    'people_count',
    'status',
    'summary',
    'url',
  ])
  expect(payload.data.insight.url).toBe('https://feedback.example/insights?issue=1')
  expect(payload.data.evidence.map((mention) => mention.text)).toEqual(Array(3).fill('It fails again 🤯'))
  const status = await world.inside(workspace, (tx) =>
    sql<{ status: string; revision: number }>`select i.status, w.revision from insight i, workspace w`.execute(tx),
  )
  expect(status.rows).toEqual([{ status: 'pushed', revision: 2 }])
})

test('an insight that is mostly praise or small talk is pushed by hand only', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 2)
  const consider = async (chatter: number, mentions: number) => {
    await world.inside(workspace, async (tx) => {
      await sql`update insight set chatter_count = ${chatter}, mention_count = ${mentions}, heard = ${mentions}`.execute(
        tx,
      )
      await considerPush(world.services)(tx, workspace, [1])
    })
    return (await world.deliveries(workspace)).length
  }
  expect(await consider(4, 7)).toBe(0)
  expect(await consider(4, 8)).toBe(1)
  await world.say(workspace, 2, 2)
  await world.inside(workspace, (tx) =>
    sql`update insight set chatter_count = 5, mention_count = 5 where issue_number = 2`.execute(tx),
  )
  expect((await world.call(workspace, 'POST', '/api/insights/2/push', {})).status).toBe(200)
  expect(await world.deliveries(workspace)).toHaveLength(2)
})

test('a link that an earlier version froze goes out as none where it is no address of a web page', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const links = ['javascript:alert(1)', '//evil.example/x', 'https://desk.example/1']
  await world.inside(workspace, async (tx) => {
    for (const [at, link] of links.entries())
      await sql`update delivery set payload = jsonb_set(payload::jsonb, ${`{data,evidence,${at},link}`}::text[],
        ${JSON.stringify(link)}::jsonb)::text`.execute(tx)
  })
  const [delivery] = await world.deliveries(workspace)
  const { status } = await world.call(workspace, 'POST', `/api/deliveries/${String(delivery?.id)}/replay`)
  expect([status, await world.work(workspace)]).toEqual([200, []])
  const sent = receiver.received.at(-1)?.payload.data.evidence
  expect(receiver.received).toHaveLength(2)
  expect(sent?.map(({ link }) => link)).toEqual([null, null, 'https://desk.example/1'])
})

test('the address of what a destination made is kept only if it is one of a web page', async () => {
  await world.connect(workspace, receiver.url)
  const urls = ['javascript:alert(1)', '//evil.example/x', 'https://board.example/1']
  for (const [at, url] of urls.entries()) {
    await world.say(workspace, at + 1, 3)
    await world.work(workspace, async () => ({ status: 201, answer: '', durationMs: 1, remote: { id: url, url } }))
  }
  const kept = await world.deliveries(workspace)
  expect(kept.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(Object.fromEntries(kept.map(({ issue_number, remote_url }) => [issue_number, remote_url]))).toEqual({
    1: null,
    2: null,
    3: 'https://board.example/1',
  })
})

test('without PUBLIC_URL the link leads to this machine', async () => {
  const { config } = world.services
  const { publicUrl, port } = config
  delete config.publicUrl
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 7, 3)
  await world.work(workspace)
  if (publicUrl) config.publicUrl = publicUrl
  expect(receiver.received[0]?.payload.data.insight.url).toBe(`http://localhost:${port}/insights?issue=7`)
})

test('eight workers at once and eight considerations at once make one request', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 2)
  await world.inside(workspace, (tx) => sql`update insight set mention_count = 3, heard = 3`.execute(tx))
  await Promise.all(
    Array.from({ length: 8 }, () => world.inside(workspace, (tx) => considerPush(world.services)(tx, workspace, [1]))),
  )
  const deliveries = await world.deliveries(workspace)
  expect(deliveries).toHaveLength(1)
  const data = { workspaceId: workspace, deliveryId: String(deliveries[0]?.id), attempts: 0 }
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 8 }, () => deliver(world.services, data, signal)))
  expect(receiver.received).toHaveLength(1)
})

test('a crash between sent and recorded sends the same id and the same bytes again, once the lease has ended', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  const [before] = await world.deliveries(workspace)
  const crash = new Promise<never>(() => undefined)
  const { connectorById } = await import('@groundswell/connectors/index.ts')
  const sent = new Promise<void>((done) => {
    const data = { workspaceId: workspace, deliveryId: String(before?.id), attempts: 0 }
    void deliver(
      world.services,
      data,
      new AbortController().signal,
      async (connection, deliveryId, payload, context) => {
        await connectorById(connection.connector)?.push?.(context, { deliveryId, payload })
        done()
        return crash
      },
    )
  })
  await sent
  expect(await world.deliveries(workspace)).toMatchObject([{ state: 'sending', attempts: 1 }])
  await world.say(workspace, 1, 4)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(1)
  world.later(2)
  expect(await world.deliveries(workspace)).toMatchObject([{ state: 'waiting', waits_for: 'due', attempts: 1 }])
  await world.work(workspace)
  expect(receiver.received).toHaveLength(2)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  const [created, update] = await world.deliveries(workspace)
  expect(created).toMatchObject({ state: 'delivered', attempts: 2 })
  expect(update).toMatchObject({ event: 'insight.updated', state: 'waiting' })
  expect(await world.attempts(workspace, created?.id)).toMatchObject([
    { number: 1, status: null, error: expect.stringContaining('before the outcome was recorded') },
    { number: 2, status: 204, error: null },
  ])
})

test('updates go out at most once an hour and carry everything', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  let carried = 3
  const times: number[] = []
  for (let minute = 0; minute < 600; minute += 10) {
    world.later(10)
    if (minute < 400) {
      await world.say(workspace, 1, 1)
      carried += 1
    }
    const count = receiver.received.length
    await world.work(workspace)
    for (let at = count; at < receiver.received.length; at += 1) times.push(world.now.getTime())
  }
  const gaps = times.slice(1).map((time, at) => (time - (times[at] as number)) / 60_000)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60)
  expect(receiver.received.length).toBeGreaterThanOrEqual(7)
  const total = receiver.received.reduce((sum, { payload }) => sum + payload.data.new_mentions, 0)
  expect(total).toBe(carried)
  expect(receiver.received.at(-1)?.payload.data.insight.mention_count).toBe(carried)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length)
})

test('mentions that arrive while an update is on its way are in the next one', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  await world.say(workspace, 1, 1)
  const { connectorById } = await import('@groundswell/connectors/index.ts')
  await world.work(workspace, async (connection, deliveryId, payload, context) => {
    await world.say(workspace, 1, 2)
    const outcome = await connectorById(connection.connector)?.push?.(context, { deliveryId, payload })
    if (!outcome) throw new Error('no push')
    return outcome
  })
  world.later(61)
  await world.work(workspace)
  expect(receiver.received.map(({ payload }) => payload.data.new_mentions)).toEqual([3, 1, 2])
})

test('the threshold may count people', async () => {
  await world.connect(workspace, receiver.url)
  const settings = { method: 'auto', min_inputs: 3, categories: [], count_people: true }
  await world.call(workspace, 'POST', '/api/user/update-settings', settings)
  await world.say(workspace, 1, 9)
  expect(await world.deliveries(workspace)).toEqual([])
})

test('copies of fewer texts than the threshold, by fewer authors, are not pushed; once enough have said it, they are', async () => {
  await world.connect(workspace, receiver.url)
  const consider = async (texts: number, authors: number) => {
    await world.inside(workspace, async (tx) => {
      await sql`update insight set text_count = ${texts}::int, author_count = ${authors}::int`.execute(tx)
      await considerPush(world.services)(tx, workspace, [1])
    })
    return (await world.deliveries(workspace)).length
  }
  await world.say(workspace, 1, 2)
  await consider(1, 1)
  await world.say(workspace, 1, 37)
  expect(await consider(1, 1)).toBe(0)
  expect(await consider(2, 2)).toBe(0)
  expect(await consider(1, 3)).toBe(1)
})

test('what a review moved into an insight does not make it reach the threshold; once a person confirms it, it does', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 2)
  await world.inside(workspace, async (tx) => {
    await sql`
      insert into model_move (workspace_id, item_id, number, from_number, to_number, state, later, model, prompt_version, decided_at)
      select workspace_id, item_id, number, 9, 1, 'held', false, 'model', 'prompt', now() from statement order by item_id limit 1`.execute(
      tx,
    )
  })
  await world.say(workspace, 1, 1)
  await world.inside(workspace, (tx) => considerPush(world.services)(tx, workspace, [1]))
  expect(await world.deliveries(workspace)).toEqual([])
  await world.inside(workspace, async (tx) => {
    await sql`
      insert into correction (workspace_id, id, issue_number, kind, request, person, state, touched)
      values (${workspace}, gen_random_uuid(), 1, 'add', '{}', 'Ann', 'applied', '{1}')`.execute(tx)
    await sql`
      insert into statement_rule (workspace_id, item_id, number, pin, correction_id)
      select move.workspace_id, item_id, number, 1, correction.id from model_move move, correction`.execute(tx)
    await considerPush(world.services)(tx, workspace, [1])
  })
  expect(await world.deliveries(workspace)).toHaveLength(1)
})

test('an insight whose name is a guess is held until somebody names it, where the settings say so', async () => {
  await world.connect(workspace, receiver.url)
  const consider = () => world.inside(workspace, (tx) => considerPush(world.services)(tx, workspace))
  const settings = { method: 'auto', min_inputs: 3, categories: [] }
  await world.call(workspace, 'POST', '/api/user/update-settings', { ...settings, hold_guesses: true })
  await world.inside(workspace, async (tx) => {
    for (const number of [1, 2, 3])
      await sql`insert into insight (workspace_id, issue_number, name, engine_name, name_confident, summary, described_hash)
        values (${workspace}, ${number}, 'Keys remap', 'Keys remap', false, '', 'h')`.execute(tx)
  })
  for (const number of [1, 2, 3]) await world.say(workspace, number, 3)
  await consider()
  expect(await world.deliveries(workspace)).toEqual([])
  await world.inside(workspace, async (tx) => {
    await sql`update insight set name = 'Shortcuts cannot be changed', name_by_person = true where issue_number = 1`.execute(
      tx,
    )
    await sql`insert into model_description (workspace_id, issue_number, described_hash, mention_count, name, summary, model, prompt_version, made_at)
      values (${workspace}, 2, 'h', 3, 'Keys cannot be remapped', '', 'm', '1', now())`.execute(tx)
  })
  await consider()
  const numbers = async () =>
    (await world.deliveries(workspace)).map((one) => Number(one.issue_number)).toSorted((a, b) => a - b)
  expect(await numbers()).toEqual([1, 2])
  expect((await world.call(workspace, 'POST', '/api/insights/3/push', {})).status).toBe(200)
  await world.call(workspace, 'POST', '/api/user/update-settings', { ...settings, hold_guesses: false })
  expect(await numbers()).toEqual([1, 2, 3])
})

test('the threshold may count customers', async () => {
  await world.connect(workspace, receiver.url)
  const settings = { method: 'auto', min_inputs: 2, categories: [], count_by: 'customers' }
  await world.call(workspace, 'POST', '/api/user/update-settings', settings)
  await world.say(workspace, 1, 9)
  expect(await world.deliveries(workspace)).toEqual([])
  await world.inside(workspace, async (tx) => {
    await sql`
      insert into customer (workspace_id, key, name, name_key, plan, revenue)
      select ${workspace}::uuid, 'c' || n, 'Customer ' || n, 'customer ' || n, case when n = 1 then 'Pro' end, n * 100 from generate_series(1, 12) n`.execute(
      tx,
    )
    await sql`
      insert into insight_customer (workspace_id, issue_number, customer_id, mentions) select workspace_id, 1, id, 1 from customer`.execute(
      tx,
    )
    await sql`update insight set customer_count = 12, revenue = 7800 where issue_number = 1`.execute(tx)
    await considerPush(world.services)(tx, workspace, [1])
  })
  await world.work(workspace)
  expect(receiver.received.map(({ payload }) => payload.data.insight)).toMatchObject([
    {
      mention_count: 9,
      customer_count: 12,
      revenue: 7800,
      customers: Array.from({ length: 10 }, (_, at) => ({
        name: `Customer ${12 - at}`,
        plan: null,
        revenue: (12 - at) * 100,
        mentions: 1,
      })),
    },
  ])
})

test('what a lost job left behind is found by the sweep', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 2)
  await world.inside(workspace, (tx) => sql`update insight set mention_count = 3, heard = 3`.execute(tx))
  await sweepDeliveries(world.services)
  expect(await world.deliveries(workspace)).toMatchObject([{ event: 'insight.created', state: 'waiting' }])
  await world.services.db.pool.query('delete from queue.job')
  await sweepDeliveries(world.services)
  const jobs = await world.services.db.pool.query(`select data from queue.job where name = 'deliver'`)
  expect(jobs.rows.map((row) => (row.data as { workspaceId: string }).workspaceId)).toContain(workspace)
})

test('what an insight gained while its update was under way is pushed after the update failed', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  world.later(61)
  await world.say(workspace, 1, 1)
  await sweepDeliveries(world.services)
  const refused = async () => {
    await world.say(workspace, 1, 1)
    throw new Rejected('No')
  }
  await world.work(workspace, refused)
  expect((await world.deliveries(workspace)).map(({ state }) => state)).toEqual(['delivered', 'failed'])
  // The list is ordered by time.
  world.later(1)
  await sweepDeliveries(world.services)
  const states = (await world.deliveries(workspace)).map(({ event, state }) => [event, state])
  expect(states).toEqual([
    ['insight.created', 'delivered'],
    ['insight.updated', 'failed'],
    ['insight.updated', 'waiting'],
  ])
})
