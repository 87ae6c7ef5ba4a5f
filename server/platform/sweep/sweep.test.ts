import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inWorkspace, type Tx, withoutWorkspace } from '../db/tenant.ts'
import { testDatabase, testWorkspace } from '../db/testing.ts'
import { testServices } from '../http/testing.ts'
import type { Services } from '../services.ts'
import { duringTests } from '../testing.ts'
import { type Looked, sweepChanges } from './changes.ts'
import { everyWorkspace } from './every-workspace.ts'
import { allWorkspaces } from './store.ts'

const HOUR_MS = 3_600_000
let services: Services
let lines: string[]
let now: Date

const test = duringTests(() => testServices())
beforeEach(() => {
  lines = []
  now = new Date('2026-05-04T10:00:00Z')
  const log = { ...test.services.log, error: (fields: object) => void lines.push(JSON.stringify(fields)) }
  services = { ...test.services, log: log as unknown as Services['log'], now: () => now }
})

const workspaces = async (count: number) => {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.push(await testWorkspace(services.db))
  return ids
}
const raise = (workspaceId: string) =>
  inWorkspace(services.db, workspaceId, (tx) => sql`update workspace set revision = revision + 1`.execute(tx))

describe('work in every workspace', () => {
  it('continues after a workspace whose work failed, logs its id, and retries it the next time', async () => {
    const [first = '', broken = '', last = ''] = await workspaces(3)
    let repaired = false
    const done: string[] = []
    const sweep = () =>
      everyWorkspace(
        services,
        'example',
        async () => [first, broken, last].filter((id) => !done.includes(id)),
        async (id) => {
          if (id === broken && !repaired) throw new Error('the disk is full')
          done.push(id)
        },
      )
    expect(await sweep()).toEqual({ visited: 3, failed: [broken] })
    expect(done).toEqual([first, last])
    expect(lines).toEqual([JSON.stringify({ sweep: 'example', workspace: broken, err: 'the disk is full' })])
    repaired = true
    expect(await sweep()).toEqual({ visited: 1, failed: [] })
    expect(done).toEqual([first, last, broken])
  })

  it('can be done in all of them', async () => {
    const ids = await workspaces(2)
    const all = await withoutWorkspace(services.db, allWorkspaces)
    expect(all).toEqual(expect.arrayContaining(ids))
    expect(all).toEqual(all.toSorted())
  })
})

describe('a sweep for changes', () => {
  let looked: string[]
  const sweep = (found: (tx: Tx, id: string) => Promise<Looked> = async () => 'idle', name = 'example', rules = '') => {
    looked = []
    return sweepChanges(services, { name, rules }, async (tx, id) => {
      looked.push(id)
      return found(tx, id)
    })
  }

  it('looks at a workspace again once it changed, and at no other', async () => {
    const [one = '', two = ''] = await workspaces(2)
    await sweep()
    expect(looked).toEqual(expect.arrayContaining([one, two]))
    await sweep()
    expect(looked).toEqual([])
    await raise(one)
    await sweep()
    expect(looked).toEqual([one])
    await inWorkspace(services.db, two, (tx) =>
      sql`insert into engine_state (workspace_id, head) values (${two}, 5)`.execute(tx),
    )
    await sweep()
    expect(looked).toEqual([two])
    await sweep()
    expect(looked).toEqual([])
  })

  it('looks again while there is work, and after the work failed', async () => {
    const [one = ''] = await workspaces(1)
    await sweep()
    await raise(one)
    await sweep(async () => 'due')
    await sweep(async () => {
      throw new Error('not now')
    })
    expect(looked).toEqual([one])
    await sweep()
    expect(looked).toEqual([one])
    await sweep()
    expect(looked).toEqual([])
  })

  it('looks again after a change that was committed while it looked', async () => {
    const [one = ''] = await workspaces(1)
    await sweep(async (_tx, id) => {
      if (id === one) await raise(one)
      return 'idle'
    })
    await sweep()
    expect(looked).toEqual([one])
  })

  it('looks again at the time that it chose, and once a day', async () => {
    const [one = '', two = ''] = await workspaces(2)
    const againAt = new Date(now.getTime() + HOUR_MS)
    await sweep(async (_tx, id) => (id === one ? { againAt } : 'idle'))
    now = new Date(againAt.getTime() - 1)
    await sweep()
    expect(looked).toEqual([])
    now = againAt
    await sweep()
    expect(looked).toEqual([one])
    now = new Date(now.getTime() + 23 * HOUR_MS)
    await sweep()
    expect(looked).toContain(two)
    expect(looked).not.toContain(one)
  })

  it('looks at all of them when it goes by other rules, and apart from other sweeps', async () => {
    const [one = ''] = await workspaces(1)
    await sweep()
    await sweep(undefined, 'another')
    expect(looked).toContain(one)
    await sweep(undefined, 'example', 'version 2')
    expect(looked).toContain(one)
    await sweep(undefined, 'example', 'version 2')
    expect(looked).toEqual([])
  })
})

describe('what asks for due work', () => {
  it('returns workspace ids to the role of the app, and to no other', async () => {
    const database = await testDatabase()
    const { rows } = await sql<{ name: string; everyone: boolean; app: boolean; definer: boolean; path: string[] }>`
      select proname as name, has_function_privilege('public', oid, 'execute') as everyone,
        has_function_privilege('groundswell_app', oid, 'execute') as app, prosecdef as definer, proconfig as path
      from pg_proc where proname like 'workspaces\\_%' and prorettype = 'uuid'::regtype order by 1`.execute(
      database.db.kysely,
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'workspaces_changed_since_sweep',
      'workspaces_switching_embeddings',
      'workspaces_to_alert_channels',
      'workspaces_to_alert_people',
      'workspaces_to_ask_model_again',
      'workspaces_to_check_counts',
      'workspaces_to_count_days',
      'workspaces_to_deliver',
      'workspaces_to_expire',
      'workspaces_to_fill_search',
      'workspaces_to_find_customers',
      'workspaces_to_group',
      'workspaces_to_import',
      'workspaces_to_seal',
      'workspaces_to_subscribe',
      'workspaces_to_sync',
      'workspaces_with_due_events',
      'workspaces_with_due_items',
      'workspaces_with_due_mail',
      'workspaces_with_due_post',
    ])
    for (const row of rows) {
      expect(row).toMatchObject({ everyone: false, app: true, definer: true, path: ['search_path=public, pg_temp'] })
    }
    await database.cleanup()
  })
})
