import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { withCaches } from '../caches.ts'
import { withoutWorkspace } from '../db/tenant.ts'
import { PreparedReply } from '../http/prepared-reply.ts'
import { testServices } from '../http/testing.ts'
import type { Services } from '../services.ts'
import { duringTests } from '../testing.ts'
import type { Holder } from './share.ts'
import { inTurn, type TurnKind, turnRules } from './turns.ts'

let time: number

const server = duringTests(() => testServices())
beforeEach(async () => {
  time = Date.UTC(2026, 0, 1)
  await withoutWorkspace(server.services.db, (tx) => sql`delete from call_turn`.execute(tx))
})

/** A process of its own over the same database. */
const another = (callsAtOnce: Record<string, number> | null = {}): Services =>
  withCaches({
    ...server.services,
    config: { ...server.services.config, callsAtOnce },
    now: () => new Date(time),
  })

const person = (accountId: string, workspaceId = 'one'): Holder => ({ workspaceId, accountId })
const [ann, bea, cem] = [person('ann'), person('bea'), person('cem', 'two')]
const never = new AbortController().signal

type Running = { began: Promise<'began'>; end: () => Promise<void> }

/** A call that runs, once it has begun, until it is ended. */
function call(holder: Holder, services = another(), kind: TurnKind = 'reports', signal = never): Running {
  const [started, stopped] = [Promise.withResolvers<'began'>(), Promise.withResolvers<void>()]
  const done = inTurn(services, kind, holder, signal, async () => {
    started.resolve('began')
    await stopped.promise
  })
  done.catch(started.reject)
  started.promise.catch(() => undefined)
  return {
    began: started.promise,
    end: () => {
      stopped.resolve()
      return done
    },
  }
}

const calls = (count: number, make: () => Running) => Array.from({ length: count }, make)
const allBegan = (running: readonly Running[]) => Promise.all(running.map(({ began }) => began))
const endAll = (running: readonly Running[]) => Promise.all(running.map(({ end }) => end()))

/** How many calls run and wait, over all processes. */
async function counted() {
  const { rows } = await withoutWorkspace(server.services.db, (tx) =>
    sql<{ runs: number; waits: number }>`
      select count(*) filter (where runs)::int as runs, count(*) filter (where not runs)::int as waits from call_turn`.execute(
      tx,
    ),
  )
  return rows[0]
}
const become = (runs: number, waits: number) => expect.poll(counted).toEqual({ runs, waits })

describe.each<TurnKind>(['reports', 'searches', 'agent_calls'])('%s', (kind) => {
  const of = (holder: Holder) => call(holder, another({ [kind]: 4 }), kind)

  it('of one person use all turns while nobody waits', async () => {
    const own = calls(4, () => of(ann))
    expect(await allBegan(own)).toHaveLength(4)
    await become(4, 0)
    await endAll(own)
    await become(0, 0)
  })

  it('of one person leave the next turns to a colleague and another workspace that wait', async () => {
    const services = another({ [kind]: 4 })
    const own = calls(34, () => call(ann, services, kind))
    await become(4, 1)
    const colleague = of(bea)
    await become(4, 2)
    await own[0]?.end()
    await colleague.began
    await become(4, 1)
    const stranger = of(cem)
    await become(4, 2)
    await own[1]?.end()
    await stranger.began
    await become(4, 1)
    const ended = Promise.all([...own.slice(2), colleague, stranger].map(({ end }) => end()))
    expect(await ended).toHaveLength(34)
    await become(0, 0)
  })
})

describe.each<TurnKind>(['exports', 'workspace_exports'])('%s', (kind) => {
  it('leave half to those who come later, since they may run for long', async () => {
    const services = another({ [kind]: 8 })
    const own = calls(3, () => call(ann, services, kind))
    await become(2, 1)
    const others = [call(bea, services, kind), call(cem, services, kind)]
    expect(await allBegan(others)).toEqual(['began', 'began'])
    await become(4, 1)
    await endAll(own.slice(0, 2))
    await own[2]?.began
    await endAll([...own, ...others])
  })

  it('run one at a time where only one may', async () => {
    const services = another({ [kind]: 1 })
    const first = call(ann, services, kind)
    await first.began
    const second = call(cem, services, kind)
    await become(1, 1)
    await first.end()
    expect(await second.began).toBe('began')
    await second.end()
  })
})

describe('a call', () => {
  it('that has waited ten seconds is refused, with the time after which to try again', async () => {
    const services = another({ reports: 1 })
    const running = call(ann, services)
    await running.began
    const refused = call(ann, services)
    await become(1, 1)
    time += 10_001
    await expect(refused.began).rejects.toMatchObject({
      code: 'too_many_requests',
      message: 'Other reports are being counted: try again in a few seconds',
      seconds: 5,
    })
    await become(1, 0)
    await running.end()
  })

  it('is refused at once when forty of the same person wait', async () => {
    const services = another({ reports: 1 })
    const running = call(ann, services)
    await running.began
    const own = calls(40, () => call(ann, services))
    await become(1, 1)
    await expect(call(ann, services).began).rejects.toMatchObject({ code: 'too_many_requests' })
    const other = call(bea, services)
    await become(1, 2)
    await endAll([running, other, ...own])
  })

  it('is forgotten a minute after its process died', async () => {
    const dead = call(ann, another({ reports: 1 }))
    await dead.began
    time += 61_000
    const next = call(ann, another({ reports: 1 }))
    expect(await next.began).toBe('began')
    await endAll([next, dead])
  })

  it('that nobody waits for any more never begins', async () => {
    const services = another({ reports: 1 })
    const running = call(ann, services)
    await running.began
    const gone = new AbortController()
    const left = call(ann, services, 'reports', gone.signal)
    await become(1, 1)
    gone.abort()
    await expect(left.began).rejects.toThrow(/abort/i)
    await become(1, 0)
    await running.end()
  })

  it('whose reply is streamed keeps its turn until that is sent', async () => {
    const body = new Readable({ read: () => undefined })
    const reply = await inTurn(another(), 'exports', ann, never, async () => new PreparedReply(200, {}, body))
    await become(1, 0)
    body.push('rows')
    body.push(null)
    expect(await text(reply.body as Readable)).toBe('rows')
    await become(0, 0)
  })

  it('that fails, or whose client is gone, gives its turn back', async () => {
    const failed = inTurn(another(), 'reports', ann, never, () => Promise.reject(new Error('broken')))
    await expect(failed).rejects.toThrow('broken')
    await become(0, 0)
    const body = new Readable({ read: () => undefined })
    await inTurn(another(), 'exports', ann, never, async () => new PreparedReply(200, {}, body))
    body.destroy()
    await become(0, 0)
  })
})

it('takes no turns where they are off, and accepts only kinds that exist', async () => {
  const own = calls(20, () => call(ann, another(null)))
  await allBegan(own)
  await become(0, 0)
  await endAll(own)
  expect(() => turnRules(another({ report: 5 }))).toThrow('wrong: report.')
  expect(() => turnRules(another({ reports: 0 }))).toThrow('CALLS_AT_ONCE takes at least 1')
})

it('stores neither people nor workspaces', async () => {
  const running = call(ann)
  await running.began
  const { rows } = await withoutWorkspace(server.services.db, (tx) =>
    sql<{ row: string }>`select t::text as row from call_turn t`.execute(tx),
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.row).not.toMatch(/ann|one/)
  await running.end()
})

describe('a clock that jumps', () => {
  const HOUR_MS = 3_600_000

  it('back keeps no turn for a process that died while it was ahead', async () => {
    const services = another({ reports: 1 })
    await withoutWorkspace(server.services.db, (tx) =>
      sql`insert into call_turn (kind, id, workspace, person, runs, expires_at)
        values ('reports', gen_random_uuid(), 'w', 'p', true, ${new Date(time + HOUR_MS)})`.execute(tx),
    )
    const own = call(ann, services)
    expect(await own.began).toBe('began')
    await own.end()
  })

  it('back lets nobody wait for longer', async () => {
    const services = another({ reports: 1 })
    const running = call(ann, services)
    await running.began
    let refusal: Error | undefined
    call(bea, services).began.catch((error: Error) => {
      refusal = error
    })
    await become(1, 1)
    const before = time
    time -= 50_000
    await expect
      .poll(() => {
        if (!refusal) time += 1_000
        return refusal?.message
      })
      .toContain('Other reports')
    expect(time).toBeLessThan(before)
    await running.end()
  })
})
