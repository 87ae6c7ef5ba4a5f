import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { choices } from '../../jira/choices.ts'
import { subscriptions } from '../../jira/subscriptions.ts'
import { openJira, signedIn } from '../../jira/testing.ts'
import { tracker } from '../../jira/tracker.ts'
import { documentFor } from '../../kit/testing.ts'
import { judgeCalls, NOT_COMPARED, officialDescription } from '../official.ts'

const description = officialDescription('jira.openapi.json')

/** Operations of Jira that the description at hand was trimmed of. */
const OMITTED = [
  'GET /rest/api/3/issue/{issueIdOrKey}/transitions',
  'GET /rest/api/3/mypermissions',
  'POST /rest/api/3/issue/bulkfetch',
  'POST /rest/api/3/issue/{issueIdOrKey}/transitions',
  'PUT /rest/api/3/issue/{issueIdOrKey}/comment/{id}',
]

const INCIDENT = {
  issue_type: ['10004'],
  labels: ['from-customers'],
  components: ['10100'],
  priority: ['2'],
  assignee: ['5b10ac8d82e05b22cc7d0003'],
  'option-customfield_10001': ['10201'],
  'options-customfield_10002': ['10300'],
  'paragraph-customfield_10003': ['Open the export'],
  'text-customfield_10004': ['Europe'],
  'number-customfield_10005': ['12.5'],
  'date-duedate': ['2026-12-01'],
  'time-customfield_10006': ['2026-11-20'],
  'words-customfield_10007': ['export slow'],
  'user-customfield_10008': ['5b10ac8d82e05b22cc7d0004'],
  'users-customfield_10009': ['5b10ac8d82e05b22cc7d0005'],
}
const quote = {
  text: 'It stops.\n\nEvery "time" – <b>always</b>',
  author: null,
  at: new Date('2026-03-01T11:00:00Z'),
  source: 'Support desk',
  link: 'https://desk.example.com/tickets/5',
}

describe('Jira’s official description', () => {
  it('describes every request that we make and every answer of the sandbox', async ({ skip }) => {
    await using jira = await openJira()
    const [site] = jira.sites
    const context = await signedIn(jira, INCIDENT)
    await choices(context, { search: { project: 'growth', assignee: 'tally' } })
    await tracker.verify(context)
    const document = documentFor(randomUUID(), { quotes: [quote, { ...quote, author: 'Ann', link: null }] })
    let remote = await tracker.create(context, { document, reopen: false })
    expect(await tracker.find(context, document.marker)).toMatchObject({ id: remote.id })
    const issue = site.issues[0]?.id ?? ''
    jira.close(issue)
    remote = await tracker.update(context, remote, { document, reopen: false })
    remote = await tracker.update(context, remote, { document, reopen: false })
    expect(await tracker.readStatus(context, [remote])).toMatchObject([{ state: 'closed' }])
    expect(await tracker.update(context, remote, { document, reopen: true })).toMatchObject({ status: 'open' })
    const request = { url: 'https://feedback.example.com/api/jira/events/key', secret: '', previous: null }
    const { state } = await subscriptions.ensure(context, request)
    await subscriptions.ensure(context, { ...request, previous: state })
    await subscriptions.remove(context, state)
    const failing = { ...context, settings: { ...context.settings, components: ['99999'] } }
    await expect(tracker.create(failing, { document, reopen: false })).rejects.toMatchObject({ kind: 'rejected' })

    const calls = jira.calls.flatMap(({ template, ...call }) => (template === null ? [] : [{ ...call, template }]))
    expect(calls.filter(({ status }) => status >= 300).map(({ status, template }) => [status, template])).toEqual([
      [400, '/rest/api/3/issue'],
    ])
    expect(new Set(calls.map(({ method, template }) => `${method} ${template.slice(11)}`)).size).toBe(20)
    if (!description) return skip(NOT_COMPARED)
    const { problems, omitted } = judgeCalls(description, calls)
    expect(problems).toEqual([])
    expect(omitted).toEqual(OMITTED)
  })

  it('judges descriptions of issues by the document format', ({ skip }) => {
    if (!description) return skip(NOT_COMPARED)
    const judge = (content: unknown) =>
      description.judgeCall({
        method: 'POST',
        template: '/rest/api/3/issue',
        query: {},
        json: { fields: { description: { type: 'doc', version: 1, content } } },
      })
    expect(judge([{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }])).toEqual([])
    expect(judge([{ type: 'text', text: '' }])).not.toEqual([])
    expect(judge('plain text')).not.toEqual([])
  })
})
