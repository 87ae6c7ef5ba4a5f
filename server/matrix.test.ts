import { randomBytes, randomUUID } from 'node:crypto'
import { nameWorkspace } from '@groundswell/contract/accounts/workspace-name.ts'
import type { ExampleObjects } from '@groundswell/contract/examples/objects.ts'
import type { KeyScope, Route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { FIRST_EMERGING } from '@groundswell/engine/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleRequest, exampleRequest, objectsNamedBy, requestOf } from './example-calls.ts'
import { createAccount, grantAdmin } from './features/accounts/index.ts'
import { CHANGED_BY_KEYS, mayCall, OPEN_TO_KEYS, SHOWN, WHO, type Who } from './matrix-roles.ts'
import { valueTypes } from './platform/db/connection.ts'
import { openConnection } from './platform/db/testing.ts'
import { proves } from './platform/proves.ts'
import { duringTests } from './platform/testing.ts'
import { appOfFile } from './testing.ts'
import { handlers } from './wiring.ts'

const PASSWORD = 'a sentence nobody guesses'
const NOBODY = randomBytes(32).toString('base64url')

type Place = { name: 'ann' | 'bo'; mark: string; workspaceId: string; known: ExampleObjects } & Record<Who, string>

let ann: Place
let bo: Place

/** These end what the caller makes further calls with. */
const ENDS = ['leaveWorkspace', 'logout']
const inOrder = [...routes].sort((one, other) => ENDS.indexOf(one.name) - ENDS.indexOf(other.name))

/** These name an invitation by its secret. */
const BY_TOKEN = ['previewInvitation', 'acceptInvitation']
/** Whether the call names an object by its own id: those of the other workspace are not found. One that names a tile may be refused for it instead. */
function namesObject(route: Route): boolean {
  const kinds = objectsNamedBy(route)
  return BY_TOKEN.includes(route.name) || (kinds.size > 0 && !kinds.has('destination') && !kinds.has('source'))
}

const test = appOfFile((services) => handlers(services), {
  authRateLimits: null,
  allowPrivateAddresses: ['127.0.0.1'],
})

const owner = duringTests(() => openConnection(test.database.ownerUrl, { types: valueTypes }))

beforeAll(async () => {
  ann = await place('ann', 1)
  bo = await place('bo', 2)
})

async function enter(workspaceId: string): Promise<void> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
}

async function logIn(email: string): Promise<string> {
  const answer = await test.call('POST', '/api/auth/login', { payload: { email, password: PASSWORD } })
  return answer.json().token
}

/** Another account in the workspace, which has no workspace of its own. Returns its id. */
async function join(workspaceId: string, email: string, name: string, role: 'viewer' | 'member'): Promise<string> {
  const { accountId, workspaceId: own } = await createAccount(test.services, { email, name, password: PASSWORD })
  await enter(own)
  await owner.query('delete from member where account_id = $1', [accountId])
  await enter(workspaceId)
  await owner.query('insert into member (workspace_id, account_id, role) values ($1, $2, $3)', [
    workspaceId,
    accountId,
    role,
  ])
  return accountId
}

/** A workspace with everyone in it, and one of everything. Every text in it contains its mark. */
async function place(name: 'ann' | 'bo', number: number): Promise<Place> {
  const mark = `mark-of-${name}`
  const email = (role: string) => `${role}-${mark}@example.com`
  const made = await createAccount(test.services, { email: email('owner'), name: mark, password: PASSWORD })
  const { workspaceId } = made
  await join(workspaceId, email('admin'), mark, 'member')
  await grantAdmin(test.services, email('admin'))
  await join(workspaceId, email('member'), mark, 'member')
  const viewer = await join(workspaceId, email('viewer'), mark, 'viewer')
  const admin = await logIn(email('admin'))
  const add = { webhook: `http://127.0.0.1:9/${mark}`, client_token: mark }
  expect((await test.call('POST', '/api/webhook/add', { as: admin, payload: add })).statusCode).toBe(200)
  const [delivery, imported, correction] = [randomUUID(), randomUUID(), randomUUID()]
  const [embedding, kept, declined, apiKey] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const customer = randomUUID()
  const invitation = randomUUID()
  const [sharedLink, view, comment] = [randomUUID(), randomUUID(), randomUUID()]
  const evaluationRun = randomUUID()
  const [receiver, event, receiverDelivery] = [randomUUID(), randomUUID(), randomUUID()]
  const emerging = FIRST_EMERGING + number
  await owner.query(`
    insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at)
      select workspace_id, id, '${mark}', '${mark}', '${mark}', now() from connection where workspace_id = '${workspaceId}';
    insert into insight (workspace_id, issue_number, name, summary) values
      ('${workspaceId}', ${number}, '${mark}', '${mark}'), ('${workspaceId}', ${number + 10}, '${mark}', '${mark}');
    update insight set deleted_at = now() where issue_number = ${number + 10};
    insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
      select workspace_id, id, 0, 0, 4, 'joined', ${number}, 1, 'test', now() from feedback_item where workspace_id = '${workspaceId}';
    insert into customer (workspace_id, id, key, name, name_key) values ('${workspaceId}', '${customer}', '${mark}', '${mark}', '${mark}');
    insert into feedback_customer (workspace_id, item_id, customer_id)
      select workspace_id, id, '${customer}' from feedback_item where workspace_id = '${workspaceId}';
    insert into attribute_value (workspace_id, id, name, name_key, value, value_key)
      values ('${workspaceId}', 1, '${mark}', '${mark}', '${mark}', '${mark}');
    insert into feedback_attribute (workspace_id, item_id, value_ids) select workspace_id, id, '{1}' from feedback_item where workspace_id = '${workspaceId}';
    insert into attribute_total (workspace_id, value_id, messages) values ('${workspaceId}', 1, 2);
    insert into emerging_insight (workspace_id, number, name, summary, described_hash, hidden) values
      ('${workspaceId}', ${emerging}, '${mark}', '${mark}', '', false),
      ('${workspaceId}', ${emerging + 10}, '${mark}', '${mark}', '', false);
    update emerging_insight set dismissed_at = now(), dismissed_in_engine = true where number = ${emerging + 10};
    insert into insight (workspace_id, issue_number, name, summary) values ('${workspaceId}', ${number + 20}, '${mark}', '${mark}');
    insert into theme (workspace_id, id, name) values ('${workspaceId}', ${number}, '${mark}'), ('${workspaceId}', ${number + 10}, 'gone');
    update theme set removed_at = now() where id = ${number + 10};
    insert into merge_suggestion (workspace_id, issue_numbers, score) values ('${workspaceId}', '{${number},${number + 20}}', 1);
    insert into declined_merge (workspace_id, id, issue_numbers, score, person, declined_at)
      values ('${workspaceId}', '${declined}', '{${number + 10},${number + 20}}', 1, '${mark}', now());
    insert into delivery (workspace_id, id, connection_id, issue_number, event, window_hour, state, payload)
      select workspace_id, '${delivery}', id, ${number}, 'insight.created', 0, 'failed', '${mark}' from connection where workspace_id = '${workspaceId}';
    insert into correction (workspace_id, id, issue_number, kind, request, person, touched)
      values ('${workspaceId}', '${correction}', ${number}, 'split', '{}', '${mark}', '{${number}}');
    insert into embedding_switch (workspace_id, id, to_space, state, began_by, began_at)
      values ('${workspaceId}', '${embedding}', '', 'ready', '${mark}', now());
    insert into attempt (workspace_id, delivery_id, number, duration_ms, answer) values ('${workspaceId}', '${delivery}', 1, 1, '${mark}');
    insert into import (workspace_id, id, connection_id, name, options, state)
      select workspace_id, '${imported}', id, '${mark}', '{}', 'done' from connection where workspace_id = '${workspaceId}';
    insert into connection (workspace_id, id, connector, settings, disconnected_at)
      values ('${workspaceId}', '${kept}', 'slack', '{"team": "${mark}"}', now());
    insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at)
      values ('${workspaceId}', '${kept}', '${mark}', '${mark}', '${mark}', now());
    insert into api_key (workspace_id, id, account_id, name, scopes, token_hash, token_start, created_at)
      values ('${workspaceId}', '${apiKey}', '${made.accountId}', '${mark}', '{read}', sha256('${mark}'), 'gsk_', now());
    insert into invitation (workspace_id, id, role, email, invited_by, token_hash, created_at, expires_at)
      values ('${workspaceId}', '${invitation}', 'viewer', '${mark}', '${made.accountId}', sha256('${mark}'), now(), now() + interval '1 day');
    insert into shared_link (workspace_id, id, account_id, token_hash, issue_number, hide_names, hide_quotes, created_at, expires_at)
      values ('${workspaceId}', '${sharedLink}', '${made.accountId}', sha256('${mark}'), ${number}, true, false, now(), now());
    insert into saved_view (workspace_id, id, account_id, name, query, shared, updated_at)
      values ('${workspaceId}', '${view}', '${made.accountId}', '${mark}', 'q=${mark}', true, now());
    insert into insight_comment (workspace_id, id, issue_number, account_id, text, written_at)
      values ('${workspaceId}', '${comment}', ${number}, '${made.accountId}', '${mark}', now());
    insert into evaluation_run (workspace_id, id, name, generators, repeats, state, started_by, started_at)
      values ('${workspaceId}', '${evaluationRun}', '${mark}', '[]', 0, 'answered', '${mark}', now());
    insert into evaluation_window (workspace_id, run_id, number, source_id, datetime_from, datetime_to)
      values ('${workspaceId}', '${evaluationRun}', 0, '${mark}', '2026-01-01', '2026-01-02');
    insert into evaluation_answer (workspace_id, run_id, window_number, generator, key, answer)
      values ('${workspaceId}', '${evaluationRun}', 0, 0, '${mark}', '{}');
    insert into receiver (workspace_id, id, description, created_at) values ('${workspaceId}', '${receiver}', '${mark}', now());
    insert into outgoing_event (workspace_id, id, type, happened_at) values ('${workspaceId}', '${event}', '${mark}', now());
    insert into receiver_delivery (workspace_id, id, receiver_id, event_id, state, error)
      values ('${workspaceId}', '${receiverDelivery}', '${receiver}', '${event}', 'failed', '${mark}');`)
  const loggedIn = {
    owner: await logIn(email('owner')),
    member: await logIn(email('member')),
    viewer: await logIn(email('viewer')),
  }
  const { rows } = await owner.query('select id from session where account_id = $1', [made.accountId])
  const said = await owner.query(`select item_id || ':' || number as id from statement where workspace_id = $1`, [
    workspaceId,
  ])
  const known = {
    issue: number,
    similarIssue: number + 20,
    deletedIssue: number + 10,
    emerging,
    dismissedEmerging: emerging + 10,
    theme: number,
    removedTheme: number + 10,
    declinedMerge: declined,
    delivery,
    fileImport: imported,
    keptFeedback: kept,
    session: String(rows[0]?.id),
    correction,
    embeddingSwitch: embedding,
    apiKey,
    customer,
    invitation,
    member: viewer,
    workspace: workspaceId,
    sharedLink,
    evaluationRun,
    view,
    comment,
    receiver,
    receiverDelivery,
    mention: String(said.rows[0]?.id),
    destination: 'webhook',
    source: 'slack',
    job: randomUUID(),
  }
  return { name, mark, workspaceId, admin, ...loggedIn, known }
}

/** Everything that a workspace stores, as text. */
async function contentOf({ workspaceId }: Place): Promise<string> {
  await enter(workspaceId)
  const tables = await owner.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id' and table_name <> 'session' order by 1`)
  const parts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await owner.query<{ all: string }>(
      `select coalesce(json_agg(r order by r::text)::text, '') as all from ${name} r where workspace_id = $1`,
      [workspaceId],
    )
    parts.push(`${name}: ${rows[0]?.all}`)
  }
  return parts.join('\n')
}

/** Makes the example of a call, with these objects. */
function ask(route: Route, objects: ExampleObjects, as?: string, headers = {}) {
  return send(route, exampleRequest(route, objects), as, headers)
}

function send({ method }: Route, { url, ...request }: ExampleRequest, as?: string, headers = {}) {
  return test.call(method, url, { as, ...request, headers: { ...headers, ...request.headers } })
}

async function makeKey(as: string, scopes: readonly KeyScope[]): Promise<string> {
  const payload = { name: scopes.join(' and '), scopes, expires_in_days: 30 }
  const answer = await test.call('POST', '/api/keys', { as, payload })
  expect(answer.statusCode).toBe(200)
  return answer.json().token
}

describe('every call, by an API key', () => {
  const authenticated = routes.filter(({ access }) => access !== 'public')

  it.each([[['read']], [['feedback:write']], [['insights:write']], [['read', 'feedback:write']]] as const)(
    'is possible with the scopes %j or refused, also when an admin made the key',
    async (scopes) => {
      const key = await makeKey(ann.admin, scopes)
      const open = scopes.flatMap((scope) => OPEN_TO_KEYS[scope])
      const check = async (route: Route) => {
        const answer = await ask(route, ann.known, key)
        const isRefused = answer.statusCode === 403 && answer.json().code === 'forbidden'
        const isOpen = open.includes(route.name)
        expect([route.name, answer.statusCode === 401, isRefused]).toEqual([route.name, false, !isOpen])
      }
      const content = async () => (await contentOf(ann)).replaceAll(/"last_used_at":"[^"]*"/g, '"last_used_at":null')
      const before = await content()
      const changing = authenticated.filter(({ name }) => CHANGED_BY_KEYS.includes(name))
      for (const route of authenticated.filter((route) => !changing.includes(route))) await check(route)
      expect(await content()).toBe(before)
      for (const route of changing) await check(route)
      expect((await content()) === before).toBe(!changing.some(({ name }) => open.includes(name)))
    },
  )

  it('shows its own workspace, and nothing of another', async () => {
    const key = await makeKey(ann.member, ['read'])
    const seen: string[] = []
    for (const name of OPEN_TO_KEYS.read) {
      const route = routes.find((one) => one.name === name)
      if (!route) throw new Error(`there is no call ${name}`)
      const own = await ask(route, ann.known, key)
      if (own.statusCode === 200 && own.body.includes(ann.mark)) seen.push(name)
      const { vary, 'cache-control': stored } = own.headers
      expect([name, String(vary).includes('Authorization'), stored]).toEqual([
        name,
        true,
        own.headers.etag === undefined ? 'no-store' : 'private, no-cache',
      ])
      const other = await ask(route, bo.known, key)
      expect([name, other.body.includes(bo.mark)]).toEqual([name, false])
      if (own.headers.etag === undefined) continue
      const tag = { 'if-none-match': String(own.headers.etag) }
      expect([name, (await ask(route, ann.known, key, tag)).statusCode]).toEqual([name, 304])
      expect([name, (await ask(route, ann.known, ann.admin, tag)).statusCode]).toEqual([name, 200])
    }
    expect(seen).toContain('listInsights')
    expect(seen).toContain('listEvidence')
  })
})

describe('every call, from two workspaces and in every role', () => {
  it.each(routes.filter(({ access }) => access !== 'public').map((route) => [route.name, route] as const))(
    '%s needs a good token',
    async (name, route) => {
      proves('8.3.1', '3.5.1', '3.5.2')
      for (const token of [undefined, NOBODY, `${ann.admin.slice(0, -4)}AAAA`]) {
        const answer = await ask(route, ann.known, token)
        expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthorized'])
      }
    },
  )

  it.each(routes.filter(({ access }) => access === 'admin').map((route) => [route.name, route] as const))(
    '%s is for admins only',
    async (name, route) => {
      proves('8.2.1')
      const answer = await ask(route, ann.known, ann.member)
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden'])
      expect((await ask(route, ann.known, ann.admin)).statusCode).not.toBe(403)
    },
  )

  it.each([
    ['ann', 'bo'],
    ['bo', 'ann'],
  ] as const)('asked by %s, shows nothing of %s and changes nothing there', async (asks, other) => {
    proves('8.2.2')
    const [asking, theirs] = asks === 'ann' ? [ann, bo] : [bo, ann]
    expect(theirs.name).toBe(other)
    const before = await contentOf(theirs)
    expect(before).toContain(theirs.mark)
    for (const role of WHO) {
      for (const route of inOrder) {
        if (ENDS.includes(route.name)) continue
        const answer = await ask(route, theirs.known, asking[role])
        expect([route.name, role, answer.body.includes(theirs.mark)]).toEqual([route.name, role, false])
        expect([route.name, role, answer.body.includes(theirs.workspaceId)]).toEqual([route.name, role, false])
        const isRefused = route.access !== 'public' && answer.statusCode === 403 && answer.json().code === 'forbidden'
        expect([route.name, role, isRefused]).toEqual([route.name, role, !mayCall(role, route)])
        const found = namesObject(route) && !isRefused && answer.statusCode !== 404
        expect([route.name, role, found]).toEqual([route.name, role, false])
        expect([route.name, role, answer.statusCode < 500 || answer.statusCode === 502]).toEqual([
          route.name,
          role,
          true,
        ])
      }
    }
    expect(await contentOf(theirs)).toBe(before)
  })

  it('finds its own things, for every role, so that the ids above mean something', async () => {
    // A call above has named the workspace.
    await send(nameWorkspace, requestOf(nameWorkspace, { body: { name: ann.mark } }), ann.owner)
    for (const role of WHO) {
      for (const name of SHOWN) {
        const route = routes.find((one) => one.name === name)
        if (!route || !mayCall(role, route)) continue
        const answer = await ask(route, ann.known, ann[role])
        expect([name, role, answer.statusCode, answer.body.includes(ann.mark)]).toEqual([name, role, 200, true])
      }
    }
  })

  it('marks every reply as one caller’s own, and confirms it to no other', async () => {
    const tagged: string[] = []
    for (const route of routes.filter(({ access, name }) => access !== 'public' && name !== 'logout')) {
      const known = route.method === 'GET' ? ann.known : bo.known
      const by = route.access === 'admin' ? ann.admin : ann.owner
      const { headers } = await ask(route, known, by)
      const delta = route.name === 'listInsights' ? ['X-Insights-Delta'] : []
      expect([route.name, headers.vary]).toEqual([
        route.name,
        [...delta, 'Authorization', 'Accept-Encoding'].join(', '),
      ])
      expect([route.name, headers['cache-control']]).toEqual([
        route.name,
        headers.etag === undefined ? 'no-store' : 'private, no-cache',
      ])
      if (headers.etag === undefined) continue
      tagged.push(route.name)
      for (const token of [bo.admin, bo.member, ann.member]) {
        const tag = { 'if-none-match': String(headers.etag) }
        const answer = await ask(route, bo.known, token, tag)
        expect([route.name, answer.statusCode]).toEqual([route.name, 200])
      }
    }
    expect(tagged.sort()).toEqual([
      'getOverview',
      'listChanges',
      'listEmerging',
      'listInsights',
      'listMergeSuggestions',
      'listThemes',
    ])
  })

  it('ends with the sign-in', async () => {
    const logout = routes.find(({ name }) => name === 'logout')
    for (const token of [ann.member, bo.admin]) {
      expect(logout && (await ask(logout, ann.known, token)).statusCode).toBe(200)
      for (const route of routes.filter(({ access }) => access !== 'public')) {
        expect([route.name, (await ask(route, ann.known, token)).statusCode]).toEqual([route.name, 401])
      }
    }
    expect((await test.call('GET', '/api/user/user-data', { as: ann.admin })).statusCode).toBe(200)
  })
})
