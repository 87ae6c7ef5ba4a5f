import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import type { RemoteItem } from '../tracker.ts'
import { documentFor, opened, openJira, requestsOf, signedIn } from './testing.ts'
import { tracker } from './tracker.ts'

/** What a person chose for the type that requires one field of each kind. */
const INCIDENT = {
  issue_type: ['10004'],
  'option-customfield_10001': ['10201'],
  'options-customfield_10002': ['10300', '10301'],
  'paragraph-customfield_10003': ['Open the export'],
  'text-customfield_10004': ['Europe'],
  'number-customfield_10005': ['12.5'],
  'date-duedate': ['2026-12-01'],
  'time-customfield_10006': ['2026-11-20'],
  'words-customfield_10007': ['export, slow  export'],
}

describe('creating an issue', () => {
  it('needs one request, with everything that is chosen', async () => {
    await using run = await opened({
      labels: ['from-customers, growth', 'from-customers'],
      components: ['10100'],
      priority: ['2'],
      assignee: ['5b10ac8d82e05b22cc7d0003'],
    })
    const remote = await run.create()
    expect(requestsOf(run)).toEqual(['POST /issue'])
    const { marker } = run.document
    expect(run.site.issues).toMatchObject([
      {
        typeId: '10001',
        project: { key: 'GROW' },
        fields: {
          summary: 'Export stops halfway',
          labels: ['from-customers', 'growth', `gs-${marker}`],
          components: [{ id: '10100' }],
          priority: { id: '2' },
          assignee: { accountId: '5b10ac8d82e05b22cc7d0003' },
          description: { type: 'doc', version: 1 },
        },
        properties: { groundswell: { marker } },
      },
    ])
    expect(remote).toEqual({
      id: '10001',
      url: 'https://fernweh.atlassian.net/browse/GROW-1',
      label: 'GROW-1',
      status: 'open',
      statusName: null,
      data: {},
    })
  })

  it('sends nothing for what is not chosen', async () => {
    await using run = await opened({ labels: [], components: null, priority: [], assignee: [] })
    await run.create()
    expect(Object.keys(run.site.issues[0]?.fields ?? {}).toSorted()).toEqual([
      'description',
      'issuetype',
      'labels',
      'project',
      'summary',
    ])
  })

  it('fills every required field in the form that Jira wants', async () => {
    const people = ['5b10ac8d82e05b22cc7d0004', '5b10ac8d82e05b22cc7d0005']
    const chosen = { 'user-customfield_10008': people.slice(0, 1), 'users-customfield_10009': people }
    await using run = await opened({ ...INCIDENT, ...chosen })
    await run.create()
    expect(run.site.issues[0]?.fields).toMatchObject({
      customfield_10001: { id: '10201' },
      customfield_10002: [{ id: '10300' }, { id: '10301' }],
      customfield_10003: { type: 'doc', content: [{ type: 'paragraph', content: [{ text: 'Open the export' }] }] },
      customfield_10004: 'Europe',
      customfield_10005: 12.5,
      duedate: '2026-12-01',
      customfield_10006: '2026-11-20T00:00:00.000+0000',
      customfield_10007: ['export', 'slow'],
      customfield_10008: { accountId: people[0] },
      customfield_10009: people.map((accountId) => ({ accountId })),
    })
  })

  it('names fields that became required, once, without trying on', async () => {
    await using run = await opened(INCIDENT)
    const error = await failureFrom(run.create())
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).toBe(
      'Jira refused the issue: the field Owner is required; the field Watch group is required. Check what is chosen for Jira',
    )
    expect(requestsOf(run).filter((request) => request === 'POST /issue')).toHaveLength(1)
    expect(run.site.issues).toEqual([])
  })

  it('names a field that is not on the screen', async () => {
    await using run = await opened({ project: ['10010'], assignee: ['5b10ac8d82e05b22cc7d0003'] })
    expect(await failureFrom(run.create())).toMatchObject({
      kind: 'rejected',
      message:
        'Jira refused the issue: the field assignee is not on the screen of this issue type. Check what is chosen for Jira',
    })
  })

  it('names a value that Jira no longer accepts', async () => {
    await using run = await opened({ components: ['99999'] })
    expect(await failureFrom(run.create())).toMatchObject({
      message: 'Jira refused the issue: the field Components was not accepted. Check what is chosen for Jira',
    })
  })

  it('refuses a number that is none, without asking Jira', async () => {
    await using run = await opened({ ...INCIDENT, 'number-customfield_10005': ['many'] })
    expect(await failureFrom(run.create())).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('number'),
    })
    expect(run.calls).toEqual([])
  })

  it.each([
    [{ project: [] }, 'No project is chosen for Jira: choose one'],
    [{ project: null }, 'No project is chosen for Jira: choose one'],
    [{ project: ['../../myself'] }, 'No project is chosen for Jira: choose one'],
    [{ issue_type: [] }, 'No issue type is chosen for Jira: choose one'],
    [{ host: undefined }, 'Jira is not set up completely: connect it again'],
    [{ project: ['77777'] }, /^Jira no longer has the project or the issue type/],
    [{ issue_type: ['77777'] }, /^Jira no longer has the project or the issue type/],
  ])('with the settings %j says what is wrong', async (settings, message) => {
    await using run = await opened(settings)
    const error = await failureFrom(run.create())
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).toMatch(message)
    expect(run.site.issues).toEqual([])
  })

  it('says that the right to create issues was removed', async () => {
    await using run = await opened()
    run.site.denied.add('CREATE_ISSUES')
    expect(await failureFrom(run.create())).toMatchObject({
      message: expect.stringContaining('this sign-in may not create issues in it'),
    })
  })

  it('still says what Jira refused where its fields cannot be read', async () => {
    await using run = await opened({ components: ['99999'] })
    const { http } = run.context
    const context: typeof run.context = {
      ...run.context,
      http: {
        request: (request) =>
          request.method === 'GET' ? Promise.reject(new Rejected('cut off')) : http.request(request),
      },
    }
    const work = tracker.create(context, { document: run.document, reopen: false })
    expect(await failureFrom(work)).toMatchObject({
      message: 'Jira refused the issue: the field components was not accepted. Check what is chosen for Jira',
    })
  })

  it('keeps within Jira’s limits, however long the texts are', async () => {
    await using run = await opened()
    const long = 'Ein Wort mit 🤯 und "Zeichen"\n'
    const quote = { text: long.repeat(400), author: long, at: new Date(0), source: long, link: 'https://x.example/1' }
    const document = documentFor(randomUUID(), {
      title: long.repeat(40),
      summary: long.repeat(900),
      quotes: Array.from({ length: 40 }, () => quote),
    })
    const remote = await tracker.create(run.context, { document, reopen: false })
    const { summary, description } = run.site.issues[0]?.fields ?? {}
    expect(String(summary).length).toBeLessThanOrEqual(255)
    expect(String(summary)).not.toContain('\n')
    const { length } = JSON.stringify(description)
    expect(length).toBeLessThanOrEqual(32_767)
    expect(length).toBeGreaterThan(25_000)
    expect(JSON.stringify(description)).toContain(document.marker)
    await tracker.update(run.context, remote, { document, reopen: false })
  })
})

describe('finding an issue', () => {
  it('takes one request by its label, and is not misled by a copy of the issue', async () => {
    await using run = await opened()
    const { id } = await run.create()
    const original = run.site.known(id)
    run.site.issues.push({ ...original, id: run.site.nextId(), key: 'GROW-2' })
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({
      id,
      label: 'GROW-1',
      statusName: 'To Do',
    })
    expect(requestsOf(run)).toEqual(['POST /issue', 'POST /search/jql'])
    expect(run.calls.at(-1)?.json).toEqual({
      jql: `labels = "gs-${run.document.marker}" ORDER BY created ASC`,
      fields: ['status'],
      maxResults: 1,
    })
  })

  it('still finds it after it was moved to another project, or another one was chosen', async () => {
    await using run = await opened()
    const { id } = await run.create()
    Object.assign(run.site.known(id), { key: 'OPS-1', project: run.site.projects[1] })
    const found = await tracker.find(run.context, run.document.marker)
    expect(found).toMatchObject({ id, label: 'OPS-1', url: 'https://fernweh.atlassian.net/browse/OPS-1' })
  })

  it('says what state it is in', async () => {
    await using run = await opened()
    const { id } = await run.create()
    run.close(id, 'Won’t do')
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({
      status: 'closed',
      statusName: 'Won’t do',
    })
  })

  it('lets nothing of a marker into the query', async () => {
    await using run = await opened()
    await tracker.find(run.context, 'x" OR labels is not EMPTY OR labels = "')
    expect(run.calls[0]?.json).toMatchObject({
      jql: expect.stringMatching(/^labels = "gs-[A-Za-z0-9-]*" ORDER BY created ASC$/),
    })
  })

  it('is not trusted for a minute, while the search lags', async () => {
    await using run = await opened()
    run.site.lag(true)
    const { id } = await run.create()
    expect(await tracker.find(run.context, run.document.marker)).toBeNull()
    expect(tracker.findLagSeconds).toBe(60)
    run.site.lag(false)
    expect((await tracker.find(run.context, run.document.marker))?.id).toBe(id)
  })
})

describe('issues of several sites', () => {
  /** Two issues with the same id at Jira, one in each site. */
  async function twins() {
    const jira = await openJira()
    jira.signIns.sites = jira.sites
    const [first, second] = jira.sites
    const context = await signedIn(jira, { site: [first.id] })
    const elsewhere = { ...context, settings: { ...context.settings, site: [second.id] } }
    const create = (where: typeof context) =>
      tracker.create(where, { document: documentFor(randomUUID()), reopen: false })
    const remotes: [RemoteItem, RemoteItem] = [await create(context), await create(elsewhere)]
    return { ...jira, context, elsewhere, first, second, remotes, [Symbol.asyncDispose]: () => jira.stop() }
  }

  it('have different ids here, and links to their own site', async () => {
    await using run = await twins()
    expect(run.first.issues[0]?.id).toBe(run.second.issues[0]?.id)
    expect(run.remotes.map(({ id, url }) => [id, url])).toEqual([
      [`${run.first.id}/10001`, 'https://fernweh.atlassian.net/browse/GROW-1'],
      [`${run.second.id}/10001`, 'https://fernweh-labs.atlassian.net/browse/GROW-1'],
    ])
  })

  it('are read and written where they are, whichever site is chosen', async () => {
    await using run = await twins()
    run.close('10001', 'Done', run.second)
    const read = async (context: typeof run.context) =>
      (await tracker.readStatus(context, run.remotes)).map(({ id, state }) => [id, state])
    const states = [
      [`${run.first.id}/10001`, 'open'],
      [`${run.second.id}/10001`, 'closed'],
    ]
    expect(await read(run.context)).toEqual(states)
    expect(await read(run.elsewhere)).toEqual(states)
    const document = documentFor(randomUUID(), { counts: { mentions: 741, people: 7 } })
    await tracker.update(run.elsewhere, run.remotes[0], { document, reopen: false })
    expect(JSON.stringify(run.first.issues[0]?.fields.description)).toContain('741 mentions')
    expect(JSON.stringify(run.second.issues[0]?.fields.description)).not.toContain('741 mentions')
  })

  it('are gone where their site is no longer allowed', async () => {
    await using run = await twins()
    const sites = run.context.settings.sites as Record<string, unknown>
    const { [run.second.id]: _, ...left } = sites
    const context = { ...run.context, settings: { ...run.context.settings, sites: left } }
    const statuses = await tracker.readStatus(context, run.remotes)
    expect(statuses.map(({ state }) => state).toSorted()).toEqual(['gone', 'open'])
  })
})
