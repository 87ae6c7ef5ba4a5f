import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired } from '../kit/errors.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import type { ServerVersion } from '../sandbox/azure/versions.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { handleEvent } from './handle-event.ts'
import { manifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { refOf } from './place.ts'
import { API_VERSIONS, apiVersion, serverOf } from './server.ts'
import { contextFor, openAzure, opened, subscribed } from './testing.ts'
import { tracker } from './tracker.ts'

const PAT = 'x'.repeat(52)
const server = (version: ServerVersion, collection = 'DefaultCollection') => ({ server: { version, collection } })

/** As the form leaves it, before anything is known about the server. */
const typed = (context: Context, address: string): Context => ({ ...context, settings: { server: address } })

describe('an Azure DevOps Server', () => {
  it.each([
    ['6.0', '6.0', 3],
    ['6.1', '6.0', 3],
    ['7.0', '7.0', 2],
    ['7.1', '7.1', 1],
  ] as const)('with version %s of its API is asked by %s', async (newest, version, requests) => {
    await using azure = await openAzure(server(newest))
    const address = azure.collectionUrl ?? ''
    const signedIn = await check(typed(contextFor(azure), address))
    const host = new URL(azure.url).host
    expect(signedIn).toEqual({
      account: `${host}/tfs/defaultcollection`,
      settings: {
        name: `DefaultCollection (${host})`,
        organization: null,
        organizations: [],
        server: address,
        api_version: version,
      },
      secrets: { pat: azure.signIns.pat },
    })
    expect(manifest.describe(signedIn.settings, {}).userData).toEqual({
      azure_data: { name: `DefaultCollection (${host})` },
    })
    expect(azure.calls).toHaveLength(requests)
    expect(azure.calls.map(({ status }) => status)).toEqual([...Array(requests - 1).fill(400), 200])
  })

  it('that is older than 2020 is refused', async () => {
    await using azure = await openAzure(server('5.0'))
    const error = await failureFrom(check(typed(contextFor(azure), azure.collectionUrl ?? '')))
    expect(error).toMatchObject({ kind: 'rejected', message: 'Azure DevOps Server 2020 or later is required' })
  })

  it.each(['6.0', '7.0', '7.1'] as const)('with version %s has everything below its own address', async (version) => {
    await using run = await opened({ type: ['Bug'] }, server(version, 'Our Collection'))
    const { context } = run
    const listed = await choices(context, { search: {} })
    expect(listed.map(({ field }) => field)).toEqual(['project', 'type', 'area', 'assigned_to'])
    const custom = { ...context, settings: { ...context.settings, type: ['Customer Problem'] } }
    expect((await choices(custom, { search: {} })).map(({ field }) => field)).toContain('field-Custom.Channel')
    expect(await tracker.verify(context)).toContain('Bug')
    const remote = await run.create()
    const page = `${run.url}/Our%20Collection/${run.account.project(0).id}/_workitems/edit/1`
    expect(remote).toMatchObject({ url: page, label: '#1', status: 'open' })
    expect(await tracker.find(context, run.document.marker)).toMatchObject({ id: remote.id })
    run.setState(1, 'Closed')
    const commented = await run.update(remote)
    expect(await run.update(commented)).toMatchObject({ status: 'closed' })
    expect(run.account.items[0]?.comments).toHaveLength(1)
    expect(await run.update(commented, true)).toMatchObject({ status: 'open' })
    run.remove(1)
    expect(await tracker.readStatus(context, [remote])).toEqual([{ id: remote.id, state: 'gone', name: null }])
    expect(run.calls.filter(({ status }) => status !== 200)).toEqual([])
    expect(run.calls.filter(({ path }) => !path.startsWith('/tfs/Our%20Collection/'))).toEqual([])
    expect(run.account.items).toHaveLength(1)
  })

  it('sends its own events, which are read again there', async () => {
    await using run = await subscribed(server('7.0'))
    const remote = await run.create()
    run.setState(1, 'Done')
    await run.hooks.settled()
    expect(run.refused).toEqual([])
    const { statuses } = await handleEvent(run.context, run.received[0]?.payload ?? {})
    expect(statuses).toEqual([{ id: remote.id, state: 'closed', name: 'Done' }])
    await run.ensure(run.state)
    expect(run.hooks.all).toHaveLength(2)
  })

  it('is not confused with another one that has a collection of the same name', async () => {
    await using run = await opened({}, server('7.0'))
    const remote = await run.create()
    expect(refOf(run.context, remote.id)).toEqual({ organisation: 'DefaultCollection', id: 1 })
    const other = { settings: { ...run.context.settings, server: 'https://devops.example.com/DefaultCollection' } }
    expect(refOf(other, remote.id)).toBeNull()
    expect(refOf({ settings: { organizations: ['DefaultCollection'] } }, remote.id)).toBeNull()
  })

  it('never gets a token of Microsoft Entra', async () => {
    await using azure = await openAzure(server('7.0'))
    const context = { ...contextFor(azure, { secrets: { access_token: 'entra-token' } }) }
    const error = await failureFrom(check(context))
    expect(error).not.toBeNull()
    expect(azure.calls).toEqual([])
    expect(oauth.fields).toBeUndefined()
    expect(await failureFrom(tracker.verify(context))).toBeInstanceOf(AuthExpired)
    expect(azure.calls).toEqual([])
  })

  it('that no longer has the version found before is to be connected again', async () => {
    await using run = await opened({ api_version: '7.1' }, server('7.0'))
    const error = await failureFrom(run.create())
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('Connect it again') })
    expect(run.account.items).toEqual([])
  })
})

describe('an address where there is no such collection', () => {
  it.each([
    [404, 'text/html', '<html>Not here</html>'],
    [200, 'application/json', '{"hello":"world"}'],
    [404, 'application/json', '{"message":"TF400898","typeKey":"HostNotFoundException"}'],
  ])('answers %i as %s, and is refused', async (status, type, body) => {
    await using run = await opened()
    await using other = await startServer((_, response) => {
      response.writeHead(status, { 'content-type': type }).end(body)
    })
    const error = await failureFrom(check(typed(run.context, `${other.url}/DefaultCollection`)))
    expect(error).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('no Azure DevOps Server with such a collection'),
    })
  })

  it('also where the server has other collections', async () => {
    await using azure = await openAzure(server('7.1'))
    const error = await failureFrom(check(typed(contextFor(azure), `${azure.url}/Other`)))
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('such a collection') })
  })
})

describe('the address of a collection in the form', () => {
  it.each([
    ['https://devops.example.com/DefaultCollection', 'https://devops.example.com/DefaultCollection'],
    [' https://DevOps.example.com:8443/tfs/Main/ ', 'https://devops.example.com:8443/tfs/Main'],
    ['http://devops/Our collection', 'http://devops/Our%20collection'],
    ['http://devops/B%c3%bcro', 'http://devops/B%C3%BCro'],
  ])('%j is %j', (address, normal) => {
    expect(manifest.form.parse({ pat: PAT, organization: '', server: address })).toMatchObject({
      organization: undefined,
      server: normal,
    })
  })

  it.each([
    'devops.example.com/DefaultCollection',
    'https://devops.example.com',
    'https://devops.example.com/a/b/c',
    'https://devops.example.com/tfs/a%2Fb',
    'https://devops.example.com/Main?a=b',
    'https://devops.example.com/Main#a',
    'https://ann:secret@devops.example.com/Main',
    'ftp://devops.example.com/Main',
    'https://dev.azure.com/fabrikam',
    'https://fabrikam.visualstudio.com/DefaultCollection',
  ])('%j is refused', (address) => {
    expect(manifest.form.safeParse({ pat: PAT, server: address }).error?.issues).toMatchObject([{ path: ['server'] }])
  })

  it('is entered instead of an organization', () => {
    const issues = (given: object) => manifest.form.safeParse({ pat: PAT, ...given }).error?.issues
    const address = 'https://devops.example.com/DefaultCollection'
    expect(issues({ organization: 'fabrikam', server: '' })).toBeUndefined()
    expect(issues({ organization: '', server: '' })).toMatchObject([{ path: ['organization'] }])
    expect(issues({ organization: 'fabrikam', server: address })).toMatchObject([{ path: ['server'] }])
  })
})

it('a stored version that is not known is the oldest one, never another host', () => {
  const settings = { server: 'https://devops.example.com/tfs/Main', api_version: '9.9' }
  expect(serverOf({ settings })).toEqual({ url: 'https://devops.example.com/tfs', collection: 'Main', version: '6.0' })
  expect(apiVersion({ settings }, 'states')).toBe('6.0-preview.1')
  expect(API_VERSIONS.map((version) => apiVersion({ settings: {} }, 'comments', version))).toEqual([
    '7.1-preview.4',
    '7.0-preview.3',
    '6.0-preview.3',
  ])
})
