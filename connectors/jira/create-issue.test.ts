import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import type { ScreenField as Field } from '../sandbox/jira/screens.ts'
import { opened, requestsOf } from './testing.ts'
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
      title: 'Export stops halfway',
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
      'Jira refused the issue: it requires the field Owner; it requires the field Watch group. Check what is chosen for Jira',
    )
    expect(requestsOf(run).filter((request) => request === 'POST /issue')).toHaveLength(1)
    expect(run.site.issues).toEqual([])
  })

  it('names them also where Jira answers with sentences alone, as it does in its documentation', async () => {
    await using run = await opened(INCIDENT)
    run.site.namesFields = false
    expect(await failureFrom(run.create())).toMatchObject({
      kind: 'rejected',
      message: 'Jira refused the issue: it requires Owner, Watch group. Check what is chosen for Jira',
    })
    run.context.settings = { ...run.context.settings, issue_type: ['10001'], components: ['99999'] }
    expect(await failureFrom(run.create())).toMatchObject({
      kind: 'rejected',
      message: 'Jira answered 400 to issue/create: it refused the request',
      ledger: { status: 400, answer: expect.stringContaining('Components') },
    })
  })

  it.each([
    ['components', '', () => {}],
    ['customfield_10004', ', which can be chosen here only once Jira’s field configuration requires it too', () => {}],
    [
      'customfield_10001',
      ', which cannot be filled here: Jira lists no values for it that can be chosen',
      (field: Field) => Object.assign(field, { allowedValues: [] }),
    ],
    [
      'customfield_10004',
      ', which cannot be filled here: it is a cascading select',
      (field: Field) => Object.assign(field, { schema: { type: 'option-with-child' } }),
    ],
  ])('names %s, which only its workflow requires%s', async (id, why, change) => {
    await using run = await opened({ issue_type: ['10004'] })
    const type = run.site.projects[0]?.types.find((one) => one.id === '10004')
    for (const field of type?.fields ?? [])
      if (!/^(summary|issuetype|project)$/.test(field.fieldId)) field.required = false
    const field = type?.fields.find(({ fieldId }) => fieldId === id)
    if (!field) throw new Error('there is no such field')
    change(field)
    run.site.requiredByWorkflow[id] = field.name
    expect(await failureFrom(run.create())).toMatchObject({
      kind: 'rejected',
      message: `Jira refused the issue: its workflow requires the field ${field.name}${why}. Check what is chosen for Jira`,
    })
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
