import { randomUUID } from 'node:crypto'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import {
  removeSingleSignOn,
  saveSingleSignOn,
  switchSingleSignOn,
} from '@groundswell/contract/accounts/single-sign-on.ts'
import { deleteWorkspace } from '@groundswell/contract/accounts/workspace-deletion.ts'
import { nameWorkspace } from '@groundswell/contract/accounts/workspace-name.ts'
import { login, signup } from '@groundswell/contract/accounts.ts'
import { createApiKey } from '@groundswell/contract/api-keys.ts'
import { addComment, editComment } from '@groundswell/contract/comments.ts'
import { addConnection, updateConnection } from '@groundswell/contract/connections.ts'
import { correctInsight, createInsight, previewCorrection } from '@groundswell/contract/corrections.ts'
import { uploadCustomers } from '@groundswell/contract/customers.ts'
import { answerHeld, listDeliveries } from '@groundswell/contract/deliveries.ts'
import { setDigest } from '@groundswell/contract/digests.ts'
import {
  getComparisonPages,
  setDir,
  setGeneratorFilter,
  setInputFilter,
} from '@groundswell/contract/evaluation/comparisons.ts'
import { getEvalPages, setEvalScore } from '@groundswell/contract/evaluation/evals.ts'
import {
  estimateEvaluationGrading,
  estimateEvaluationRun,
  gradeEvaluationRun,
  startEvaluationRun,
} from '@groundswell/contract/evaluation/runs.ts'
import type { ExampleObjects } from '@groundswell/contract/examples/objects.ts'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { setInsightTags } from '@groundswell/contract/insights/insight-detail.ts'
import { declineMerge } from '@groundswell/contract/insights/suggestions.ts'
import { createTheme } from '@groundswell/contract/insights/themes.ts'
import { listEvidence, listInsights, listUngrouped } from '@groundswell/contract/insights.ts'
import { createReceiver, resendReceiverDelivery, testReceiver } from '@groundswell/contract/receivers.ts'
import { getReport, getReportChanges, getReportPart } from '@groundswell/contract/reports.ts'
import { ENDS, type Route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { updateSettings } from '@groundswell/contract/settings.ts'
import { createSharedLink } from '@groundswell/contract/shared-links.ts'
import {
  acceptInvitation,
  invite,
  leaveWorkspace,
  listMyWorkspaces,
  previewInvitation,
} from '@groundswell/contract/team.ts'
import { setTimeZone } from '@groundswell/contract/values/time-zone.ts'
import { createView } from '@groundswell/contract/views.ts'
import { FIRST_EMERGING } from '@groundswell/engine/index.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authenticate } from '../auth/index.ts'
import { type Booted, boot } from '../boot.ts'
import { seedEvals } from '../demo/evaluations.ts'
import { objectsNamedBy } from '../example-calls.ts'
import { type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { createHttp } from '../platform/http/create.ts'
import { fuzzRoute } from '../platform/http/fuzz.ts'
import type { Known } from '../platform/http/fuzz-input.ts'
import { handlers } from '../wiring.ts'
import { startWorker } from '../worker.ts'
import { type Answers, counting } from './counted-answers.ts'
import { extent, seed } from './extent.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { asOwnerOf, keepFeedback, makeCustomer, makeRun } from './stored-objects.ts'
import { asFile } from './topic-rows.ts'
import { until } from './until.ts'

const RUNS = extent({ whole: 2_000, sample: 100 })
/** How many of the company's messages are stored: with few, calls that read or export them all are quick. */
const ROWS = extent({ whole: Number.POSITIVE_INFINITY, sample: 250 })

const person = { email: 'fuzz@tallybrook.example', password: 'any input at all', name: 'Fuzz' }

let database: TestDatabase
let booted: Booted
let app: FastifyInstance
let receiver: Receiver
let token: string
let known: Record<'id' | 'import' | 'mention', string> & Record<string, string>

beforeAll(async () => {
  receiver = await startReceiver()
  database = await testDatabase()
  // Hostile log-ins must not lock out the person that the next call is made as.
  const authRateLimits = { login: 1e9, login_address: 1e9, login_account: 1e9, verify: 1e9, invite: 1e9 }
  booted = await boot({ ...database.config, allowPrivateAddresses: ['127.0.0.1'], authRateLimits })
  const { services } = booted
  app = await createHttp(services, { handlers: handlers(services), authenticate: authenticate(services) })
  await startWorker(services)
  known = await furnish()
})

afterAll(async () => {
  await app?.close()
  await booted?.stop()
  await database?.cleanup()
  await receiver?.stop()
})

const ROUNDS = 3
const rankOf = ({ ends }: Route) => (ends === undefined ? -1 : ENDS.indexOf(ends))
const ordered = routes.toSorted((one, other) => rankOf(one) - rankOf(other))

/** Objects that do not exist here: a source that is connected, work that gave up. The known id is not that of a session. */
const ABSENT: ReadonlySet<string> = new Set(['source', 'job', 'session', 'embeddingSwitch'])
const canSucceed = (route: Route) => route.needs === undefined && objectsNamedBy(route).isDisjointFrom(ABSENT)

it.for(ordered.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
  `answers ${RUNS} inputs by the contract: $name`,
  async ({ route }, { task }) => {
    if (route.path.startsWith('/comparison/')) await chooseComparison()
    // A token is valid for an hour, and all routes together may take that long.
    token = login.reply.parse(await ask(login, { email: person.email, password: person.password })).token
    if (route === setInsightTags) await makeTag()
    if (route === answerHeld) await openDestination()
    const answers: Answers = new Map()
    const succeeds = canSucceed(route)
    // Grouping carries out what earlier inputs asked for, so that what was chosen may end at any moment: then the call gets something else.
    for (let round = 0; round === 0 || (round < ROUNDS && succeeds && !answers.has(200)); round += 1) {
      const kinds = objectsNamedBy(route)
      if (kinds.has('issue') || kinds.has('mention')) known = { ...known, ...(await chooseInsight()) }
      const all = { ...known, ...(await objectsFor(route)), ...(await furnishFor(route)) }
      await fuzzRoute(counting(app, answers), route, { token, runs: RUNS, seed: seed + round, known: all })
    }
    expect(answers.has(200), `answers by status: ${JSON.stringify([...answers], null, 2)}`).toBe(succeeds)
    task.meta.inputs = [...answers.values()].reduce((sum, { count }) => sum + count, 0)
    expect(task.meta.inputs).toBeGreaterThanOrEqual(RUNS)
  },
)

/** Everything that can be chosen for a comparison, since an earlier hostile choice may have left nothing. */
async function chooseComparison(): Promise<void> {
  const all = Object.fromEntries(Object.keys(setGeneratorFilter.body.shape).map((list) => [list, []]))
  await ask(setDir, { dir_name: known.dir_name })
  await ask(setGeneratorFilter, all)
  await ask(setInputFilter, { input_filter: known.input_filter })
}

/** The destination accepts pushes, since earlier hostile changes may have switched it off. */
async function openDestination(): Promise<void> {
  const change = { push_automatically: true, paused: false }
  await ask(updateConnection, change, '/api/webhook/connection')
}

/** The one tag that inputs name, since earlier hostile settings may have left others. */
async function makeTag(): Promise<void> {
  const description = 'Which part of the product the message is about, in one word'
  await ask(updateSettings, { method: 'auto', min_inputs: 3, categories: [{ name: known.cat_name, description }] })
}

/** An insight that exists now, with a mention: earlier hostile files and corrections may have ended the previous one, or end the one that was listed. */
async function chooseInsight(): Promise<{ issue_number: string; mention: string }> {
  return until('an insight with a mention', async () => {
    const [insight] = listInsights.reply.parse(await ask(listInsights))
    const path = `/api/insights/${insight?.issue_number}`
    const { mentions } = listEvidence.reply.parse(await ask(listEvidence, undefined, `${path}/evidence`))
    return { issue_number: String(insight?.issue_number), mention: String(mentions[0]?.id) }
  })
}

/** Makes an object for a call that names one: earlier calls may have ended the previous one. */
const makers: Partial<Record<keyof ExampleObjects, () => Promise<string>>> = {
  emerging: makeEmerging,
  dismissedEmerging: makeEmerging,
  theme: () => makeTheme(false),
  removedTheme: () => makeTheme(true),
  declinedMerge: declineTwo,
  comment: makeComment,
  customer: () => makeCustomer(database.ownerUrl),
  keptFeedback: () => keepFeedback(database.ownerUrl),
  view: makeView,
  sharedLink: makeLink,
  evaluationRun: () => makeRun(database.ownerUrl),
  apiKey: makeKey,
  invitation: async () => (await makeInvitation()).id,
  member: makeOwner,
  workspace: currentWorkspace,
}

/** The objects that the example of a call names, by the fields that name them. */
async function objectsFor(route: Route): Promise<Known> {
  const objects: Record<string, string> = { fileImport: known.import, mention: known.mention }
  for (const kind of objectsNamedBy(route)) objects[kind] ??= (await makers[kind]?.()) ?? ''
  // Numbers are text here, as in an address.
  const { params, body } = route.example?.(objects as unknown as ExampleObjects) ?? {}
  const made = new Set<unknown>(Object.values(objects).filter((value) => value !== ''))
  return Object.fromEntries(Object.entries({ ...params, ...body }).filter(([, value]) => made.has(value))) as Known
}

/** What else only the inputs of this call name. */
async function furnishFor(route: Route): Promise<Known | undefined> {
  if (route === createInsight) return { mentions: await chooseUngrouped() }
  if (route === correctInsight || route === previewCorrection) return { mentions: [known.mention] }
  if (route === declineMerge) return { issue_numbers: await suggestTwo() }
  // Its own name: earlier calls made themes and views with every other name that inputs have.
  if (/\{(theme|view)_id\}/.test(route.path)) return { name: randomUUID() }
  if (route === uploadCustomers) return { text: 'domain,name,plan,revenue\nacme.com,Acme,Pro,5\n' }
  if (route === previewInvitation || route === acceptInvitation) return { token: (await makeInvitation()).token }
  if (route === leaveWorkspace) await makeOwner()
  if (route === deleteWorkspace) return { name: person.name }
  if (route === saveSingleSignOn) return ssoProvider
  if (route === removeSingleSignOn || route === switchSingleSignOn) await ask(saveSingleSignOn, ssoProvider)
  if (route === createSharedLink) return { ...(await chooseInsight()), view_id: await makeView() }
  if (route === createReceiver) return makeReceiver(false)
  if (route.path.startsWith('/api/receivers/{id}')) return makeReceiver(route === resendReceiverDelivery)
  if (route === addComment || route === editComment) return { text: 'said', mentions: [] }
  if (route === createView) return { name: randomUUID() }
  // Nothing is watched: inputs would name themes and customers that do not exist.
  if (route === setDigest) return { time_zone: 'UTC', frequency: 'off', themes: [], customers: [] }
  if (route === setTimeZone) return { time_zone: 'Europe/Berlin' }
  if (route === nameWorkspace) return { name: randomUUID() }
  if (route === getComparisonPages) return { from: '0', count: '1' }
  if (route === getEvalPages) return { filename: known.filename ?? '', from: '0', count: '1' }
  if (route === setEvalScore) return { filename: known.filename ?? '', reason: 'It reads better' }
  if (route === gradeEvaluationRun || route === estimateEvaluationGrading) return { judges: [] }
  if (route === startEvaluationRun || route === estimateEvaluationRun) {
    await asOwner('delete from evaluation_run')
    return {
      name: randomUUID(),
      generators: ['words'],
      // There is no language model.
      model_generators: [],
      from: '2000-01-01',
      to: '2100-01-01',
      source_ids: [],
      repeats: '0',
    }
  }
  if (route === getReport || route === getReportPart || route === getReportChanges)
    return { from: '2026-01-01', to: '2026-03-31' }
}

/** Where nothing answers. */
const ssoProvider = {
  issuer: 'https://127.0.0.1:9',
  client_id: 'app',
  client_secret: 'secret',
  domains: ['acme.example'],
  default_role: 'viewer',
}

/** A separate view: earlier calls may have made as many as there may be. */
async function makeView(): Promise<string> {
  await asOwner('delete from saved_view')
  return createView.reply.parse(await ask(createView, { name: 'fuzz', query: '', shared: false })).view_id
}

/** A comment that is there now: earlier calls may have deleted the previous one. */
async function makeComment(): Promise<string> {
  const { issue_number } = await chooseInsight()
  const path = `/api/insights/${issue_number}/comments`
  return addComment.reply.parse(await ask(addComment, { text: 'said' }, path)).comment_id
}

/** A receiver of events of its own, with a delivery: earlier calls may have made as many as there may be, or have disabled it. */
async function makeReceiver(withDelivery: boolean): Promise<Known> {
  await asOwner('delete from receiver')
  const fields = { url: receiver.url, description: '', events: null }
  const { id } = createReceiver.reply.parse(await ask(createReceiver, fields)).receiver
  if (!withDelivery) return { id, url: receiver.url }
  const test = await ask(testReceiver, undefined, `/api/receivers/${id}/test`)
  return { id, delivery_id: testReceiver.reply.parse(test).delivery.id }
}

/** A link to a view. */
async function makeLink(): Promise<string> {
  const fields = { view_id: await makeView(), expires_in_days: 7, hide_names: true, hide_quotes: true }
  return createSharedLink.reply.parse(await ask(createSharedLink, fields)).link.id
}

/** A separate key: earlier calls may have made as many as there may be. */
async function makeKey(): Promise<string> {
  await asOwner('delete from api_key')
  const fields = { name: 'fuzz', scopes: ['read'], expires_in_days: 30 }
  return createApiKey.reply.parse(await ask(createApiKey, fields)).key.id
}

/** A separate invitation: earlier calls may have made as many as there may be. */
async function makeInvitation(): Promise<{ id: string; token: string }> {
  await asOwner('delete from invitation')
  const { invitation, link } = invite.reply.parse(await ask(invite, { role: 'viewer' }))
  return { id: invitation.id, token: link.split('#invitation=')[1] ?? '' }
}

async function currentWorkspace(): Promise<string> {
  const { workspaces } = listMyWorkspaces.reply.parse(await ask(listMyWorkspaces))
  return workspaces.find((one) => one.is_current)?.id ?? ''
}

/** Another owner of the workspace. */
async function makeOwner(): Promise<string> {
  const id = randomUUID()
  await asOwner(
    `insert into account (id, email, name) values ('${id}', '${id}@tallybrook.example', 'Bo')`,
    `insert into member (workspace_id, account_id, role) values ('${await currentWorkspace()}', '${id}', 'owner')`,
  )
  return id
}

/** Two insights that are suggested to be merged. */
async function suggestTwo(): Promise<number[]> {
  const insights = listInsights.reply.parse(await ask(listInsights)).slice(0, 2)
  const numbers = insights.map((insight) => insight.issue_number).toSorted((one, other) => one - other)
  await asOwner(
    `insert into merge_suggestion (workspace_id, issue_numbers, score) select workspace_id, '{${numbers.join()}}', 1 from workspace
     on conflict do nothing`,
  )
  return numbers
}

async function declineTwo(): Promise<string> {
  return declineMerge.reply.parse(await ask(declineMerge, { issue_numbers: await suggestTwo() })).decline_id
}

/** An emerging insight, which no encoder finds here, of two mentions that are in no insight. */
async function makeEmerging(): Promise<string> {
  const number = FIRST_EMERGING + 1
  const chosen = await chooseUngrouped()
  await asOwner(
    `insert into emerging_insight (workspace_id, number, name, summary, described_hash, hidden)
     select workspace_id, ${number}, 'Emerging', 'Emerging', '', false from workspace on conflict do nothing`,
    `update statement set emerging_number = ${number} where item_id || ':' || number in ('${chosen.join("', '")}')`,
  )
  return String(number)
}

/** A theme, or one that was removed. */
async function makeTheme(removed: boolean): Promise<string> {
  const { theme_id } = createTheme.reply.parse(await ask(createTheme, { name: randomUUID() }))
  if (removed) await asOwner(`update theme set removed_at = now() where id = ${theme_id}`)
  return String(theme_id)
}

const asOwner = (...statements: string[]) => asOwnerOf(database.ownerUrl, ...statements)

/** Two mentions of different messages that are in no insight. */
async function chooseUngrouped(): Promise<string[]> {
  const { mentions } = listUngrouped.reply.parse(await ask(listUngrouped))
  const firsts = mentions.flatMap(({ id }) => (id?.endsWith(':0') ? id : []))
  return firsts.slice(0, 2)
}

/** A workspace with an import, insights, a destination and deliveries to it. */
async function furnish(): Promise<typeof known> {
  token = signup.reply.parse(await ask(signup, person)).token
  await seedEvals(database.config.dataDir)
  const webhook = receiver.url
  await ask(addConnection, { webhook }, '/api/webhook/add')
  const rows = loadCompany()
    .slice(0, ROWS)
    .map(({ id, text, author }) => ({ id, text, author }))
  const started = startImport.reply.parse(await ask(startImport, asFile(rows), '/api/imports?name=fuzz.jsonl'))
  await until('the rows to be grouped', async () => {
    const found = getImport.reply.parse(await ask(getImport, undefined, `/api/imports/${started.id}`))
    return found.state === 'done' && found.grouped === found.added ? true : undefined
  })
  const delivery = await until('a delivery', async () => {
    return listDeliveries.reply.parse(await ask(listDeliveries)).deliveries.find((one) => one.state === 'delivered')
  })
  const chosen = await chooseInsight()
  const path = `/api/insights/${chosen.issue_number}/corrections`
  const renamed = await ask(correctInsight, { kind: 'rename', name: 'Renamed' }, path)
  return {
    email: person.email,
    password: person.password,
    tile: 'webhook',
    webhook,
    name: 'fuzz.jsonl',
    filename: 'two-weeks-sentences.json',
    cat_name: 'Area',
    dir_name: 'two-weeks',
    input_filter: 'channel-customer-feedback',
    ...chosen,
    id: delivery.id,
    import: started.id,
    correction_id: correctInsight.reply.parse(renamed).correction_id,
  }
}

async function ask(route: Route, body?: unknown, url: string = route.path): Promise<unknown> {
  const raw = typeof body === 'string'
  const answer = await app.inject({
    method: route.method,
    url,
    headers: {
      ...(body === undefined ? {} : { 'content-type': raw ? 'application/octet-stream' : 'application/json' }),
      ...(route.access === 'public' ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { payload: raw ? body : JSON.stringify(body) }),
  })
  if (answer.statusCode !== 200) throw new Error(`${route.method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json()
}
