import { describe, expect, it } from 'vitest'
import { check } from '../../azure/check.ts'
import { choices } from '../../azure/choices.ts'
import { subscriptions } from '../../azure/subscriptions.ts'
import { opened } from '../../azure/testing.ts'
import { tracker } from '../../azure/tracker.ts'
import { judgeCalls, NOT_COMPARED } from '../official.ts'
import { officialAzureDescription, readAzureDescription } from './description.ts'

const WIT = '/{organization}/{project}/_apis/wit'

/** Calls that the descriptions at hand were trimmed of. They are documented on the same site. */
const OMITTED = [
  'GET /{organization}/_apis/projects/{projectId}/teams/{teamId}/members',
  `GET ${WIT}/classificationnodes/areas`,
  `PATCH ${WIT}/workItems/{workItemId}/comments/{commentId}`,
]

/**
 * Where the descriptions are behind their own documentation: comments are also listed without ids, with `$top` and `order`; values of
 * fields are text, and null where there is none; items that are left out of a batch are null.
 */
const KNOWN = [
  `GET ${WIT}/workItems/{workItemId}/comments has no parameter $top`,
  `GET ${WIT}/workItems/{workItemId}/comments has no parameter order`,
  `GET ${WIT}/workItems/{workItemId}/comments needs ids`,
  `GET ${WIT}/workitemtypes/{type}/fields 200/value/*/allowedValues/* must be object`,
  `GET ${WIT}/workitemtypes/{type}/fields 200/value/*/defaultValue must be object`,
  'POST /{organization}/_apis/wit/workitemsbatch 200/value/* must be object',
]

describe('Azure DevOps’ official descriptions', () => {
  it.for([
    ['Azure DevOps Services', undefined] as const,
    ['an Azure DevOps Server', { collection: 'Default Collection', version: '7.1' }] as const,
  ])('describe every request that we make and every answer of the sandbox: %s', async ([, server], { skip }) => {
    const chosen = { area: ['Fernweh\\Mobile'], assigned_to: ['person-1@fabrikam.example'] }
    await using run = await opened(chosen, server ? { server } : {})
    await check(run.context)
    await choices(run.context, { search: { project: 'fern', assigned_to: 'ada' } })
    const required = { ...run.context.settings, type: ['Customer Problem'] }
    await choices({ ...run.context, settings: required }, { search: {} })
    await tracker.verify(run.context)
    let remote = await run.create()
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ status: 'open' })
    run.setState(1, 'Done')
    remote = await run.update(remote)
    remote = await run.update(remote)
    expect(await run.update(remote, true)).toMatchObject({ status: 'open' })
    const request = { url: 'https://feedback.example.com/api/azure/events/key', secret: 'a secret', previous: null }
    const { state } = await subscriptions.ensure(run.context, request)
    await subscriptions.ensure(run.context, { ...request, previous: state })
    await subscriptions.remove(run.context, state)
    run.remove(1)
    expect(await tracker.readStatus(run.context, [remote])).toMatchObject([{ state: 'gone' }])

    expect(run.calls.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(run.requests())).toEqual(
      new Set([
        'GET projects',
        'GET projects/{projectId}',
        'GET projects/{projectId}/teams/{teamId}/members',
        'GET wit/workitemtypes',
        'GET wit/workitemtypes/{type}/fields',
        'GET wit/workitemtypes/{type}/states',
        'GET wit/classificationnodes/areas',
        'POST wit/workitems/${type}',
        'PATCH wit/workitems/{id}',
        'POST wit/wiql',
        'POST wit/workitemsbatch',
        'GET wit/workItems/{workItemId}/comments',
        'POST wit/workItems/{workItemId}/comments',
        'PATCH wit/workItems/{workItemId}/comments/{commentId}',
        'GET hooks/subscriptions',
        'POST hooks/subscriptions',
        'DELETE hooks/subscriptions/{subscriptionId}',
      ]),
    )
    if (!officialAzureDescription) return skip(NOT_COMPARED)
    const calls = run.calls.map(({ template, ...call }) => ({ ...call, template: template ?? '' }))
    const { problems, omitted } = judgeCalls(officialAzureDescription, calls)
    expect(problems.toSorted()).toEqual(KNOWN)
    expect(omitted).toEqual(OMITTED)
  })
})

describe('the comparison itself', () => {
  const Patch = { type: 'array', minItems: 1, items: { type: 'object', required: ['op'] } }
  const description = readAzureDescription({
    paths: {
      '/items': {
        get: {
          parameters: [{ name: 'api-version', in: 'query', required: true, schema: { type: 'string' } }],
          responses: {
            '200': { content: { 'application/json': { schema: { type: 'array', items: { type: 'integer' } } } } },
          },
        },
        post: {
          requestBody: { content: { 'application/json-patch+json': { schema: Patch } } },
          responses: { '200': { content: { 'application/json': { schema: { type: 'object' } } } } },
        },
        put: { requestBody: { $ref: '#/components/requestBodies/Named' }, responses: { '204': { description: '' } } },
      },
    },
    components: {
      parameters: {},
      requestBodies: {
        Named: { content: { 'application/json': { schema: { type: 'object', required: ['text'] } } } },
      },
    },
  })
  const template = '/items'

  it('expects lists as they are sent', () => {
    const judge = (answer: unknown) => description.judgeAnswer({ method: 'GET', template, status: 200, answer })
    expect(judge({ count: 1, value: [1] })).toEqual([])
    expect(judge([1])).toEqual(['GET /items 200 must be object'])
    expect(judge({ count: 1, value: ['x'] })).toEqual(['GET /items 200/value/* must be integer'])
    expect(judge({ value: [] })).toEqual(["GET /items 200 must have required property 'count'"])
  })

  it('allows a path without a project where it is optional', () => {
    const get = (required?: boolean) => ({
      get: {
        parameters: [{ name: 'project', in: 'path', required: true, ...(required ? {} : { 'x-ms-required': false }) }],
        responses: { '200': { description: '' } },
      },
    })
    const paths = { '/{organization}/{project}/optional': get(), '/{organization}/{project}/needed': get(true) }
    const projects = readAzureDescription({ paths, components: { parameters: {} } })
    const judge = (path: string) => projects.judgeCall({ method: 'GET', template: path, query: {}, json: null })
    expect(judge('/{organization}/optional')).toEqual([])
    expect(judge('/{organization}/{project}/optional')).toEqual([])
    expect(judge('/{organization}/needed')).toBeNull()
  })

  it('judges patches and bodies that are referred to', () => {
    const judge = (method: string, json: unknown) => description.judgeCall({ method, template, query: {}, json })
    expect(judge('POST', [{ op: 'add' }])).toEqual([])
    expect(judge('POST', [{}])).toEqual(["POST /items request/* must have required property 'op'"])
    expect(judge('POST', [])).toEqual(['POST /items request must NOT have fewer than 1 items'])
    expect(judge('PUT', { text: 'x' })).toEqual([])
    expect(judge('PUT', {})).toEqual(["PUT /items request must have required property 'text'"])
    expect(judge('GET', null)).toEqual(['GET /items needs api-version'])
    expect(judge('DELETE', null)).toBeNull()
  })
})
