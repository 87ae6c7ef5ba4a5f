import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ItemGone, Rejected } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import type { RemoteItem } from '../tracker.ts'
import { opened } from './testing.ts'
import { tracker } from './tracker.ts'

describe('creating a work item', () => {
  it('is one request once the fields of the type are known, with everything that is chosen', async () => {
    await using run = await opened({ area: ['Fernweh\\Website'], assigned_to: ['person-3@fabrikam.example'] })
    const remote = await run.create()
    await run.create()
    expect(run.requests()).toEqual([
      'GET wit/workitemtypes/{type}/fields',
      'POST wit/workitems/${type}',
      'POST wit/workitems/${type}',
    ])
    const [item] = run.account.items
    expect(item).toMatchObject({
      fields: {
        'System.Title': 'Export stops halfway',
        'System.Description': expect.stringContaining('<p>Large exports end without a message.</p>'),
        'System.Tags': `gs-${run.document.marker}`,
        'System.AreaPath': 'Fernweh\\Website',
        'System.AssignedTo': 'person-3@fabrikam.example',
      },
      relations: [{ rel: 'Hyperlink', url: run.document.link }],
    })
    const project = run.account.project(0).id
    expect(remote).toEqual({
      id: 'fabrikam/1',
      url: `${run.url}/fabrikam/${project}/_workitems/edit/1`,
      label: '#1',
      title: run.document.title,
      status: 'open',
      statusName: 'To Do',
      data: { project },
    })
  })

  it('puts the text where the form of a bug shows it, too', async () => {
    await using run = await opened({ type: ['Bug'] })
    const remote = await run.create()
    const [item] = run.account.items
    const description = item?.fields['System.Description']
    expect(description).toContain('Large exports end without a message.')
    expect(item?.fields['Microsoft.VSTS.TCM.ReproSteps']).toBe(description)
    const document = documentFor(run.document.marker, { counts: { mentions: 812, people: 7 } })
    await tracker.update(run.context, remote, { document, reopen: false })
    expect(item?.fields['Microsoft.VSTS.TCM.ReproSteps']).toContain('812')
    expect(item?.fields['System.Description']).toContain('812')
  })

  it.each([[null], ['javascript:alert(1)'], ['ftp://example.com/']])('has no hyperlink for %j', async (link) => {
    await using run = await opened()
    const document = documentFor(randomUUID(), { link })
    await tracker.create(run.context, { document, reopen: false })
    expect(run.account.items).toMatchObject([{ relations: [] }])
  })

  it('treats customers’ words as text', async () => {
    await using run = await opened()
    const document = documentFor(randomUUID(), { summary: '<img src=x onerror=alert(1)>' })
    await tracker.create(run.context, { document, reopen: false })
    const description = String(run.account.items[0]?.fields['System.Description'])
    expect(description).toContain('&lt;img')
    expect(description).not.toContain('<img')
  })

  it.each([
    [{ project: [] }, 'No project is chosen for Azure DevOps: choose one'],
    [{ project: null }, 'No project is chosen for Azure DevOps: choose one'],
    [{ type: [] }, 'No work item type is chosen for Azure DevOps: choose one'],
    [{ organizations: [] }, 'No organization is chosen for Azure DevOps: choose one'],
    [{ organizations: ['fabrikam', 'contoso'] }, 'No organization is chosen for Azure DevOps: choose one'],
    [{ project: [randomUUID()] }, /^The project no longer exists in Azure DevOps/],
    [{ type: ['Old type'] }, /^The work item type no longer exists in the project/],
    [{ area: ['Fernweh\\Gone'] }, /^The area path no longer exists in Azure DevOps/],
  ])('with the settings %j says what is wrong', async (settings, message) => {
    await using run = await opened(settings)
    const error = await failureFrom(run.create())
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).toMatch(message)
    expect(run.account.items).toEqual([])
  })

  it('uses Azure’s page where a response has no link of its own', async () => {
    await using run = await opened()
    await run.create()
    const found = await tracker.find({ ...run.context }, run.document.marker)
    expect(found?.url).toBe(`${run.url}/fabrikam/Fernweh/_workitems/edit/1`)
  })
})

describe('finding a work item', () => {
  it('asks for its tag, and reads it, its project and its states', async () => {
    await using run = await opened()
    const remote = await run.create()
    const before = run.calls.length
    expect(await tracker.find(run.context, run.document.marker)).toEqual({ ...remote, url: expect.any(String) })
    expect(run.requests().slice(before)).toEqual([
      'POST wit/wiql',
      'POST wit/workitemsbatch',
      'GET projects/{projectId}',
      'GET wit/workitemtypes/{type}/states',
    ])
    const clauses = [
      'SELECT [System.Id]',
      'FROM WorkItems',
      `WHERE [System.Tags] CONTAINS 'gs-${run.document.marker}'`,
      'ORDER BY [System.Id]',
    ]
    expect(run.calls[before]?.json).toEqual({ query: clauses.join(' ') })
  })

  it('finds it after another project was chosen, or after it was moved there', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.context.settings['project'] = [run.account.project(1).id]
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id: remote.id, data: remote.data })
    run.move(1, run.account.project(1))
    const data = { project: run.account.project(1).id }
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id: remote.id, data })
    expect(run.account.items).toHaveLength(1)
  })

  it('cannot be led out of its query by a marker', async () => {
    await using run = await opened()
    await run.create()
    expect(await tracker.find(run.context, "x' OR [System.Id] > 0 --")).toBeNull()
    expect(JSON.stringify(run.calls.at(-1)?.json)).toContain("CONTAINS 'gs-xORSystemId0--'")
  })

  it('takes the oldest where there are several', async () => {
    await using run = await opened()
    const [first] = [await run.create(), await run.create()]
    expect((await tracker.find(run.context, run.document.marker))?.id).toBe(first?.id)
  })

  it('says that it is closed', async () => {
    await using run = await opened()
    await run.create()
    run.setState(1, 'Removed')
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({
      status: 'closed',
      statusName: 'Removed',
    })
  })
})

describe('reading states', () => {
  it('goes by the category of the state, whatever its name', async () => {
    await using run = await opened()
    const remotes: RemoteItem[] = []
    for (const state of ['To Do', 'Doing', 'Testing', 'Done', 'Removed']) {
      remotes.push(await tracker.create(run.context, { document: documentFor(randomUUID()), reopen: false }))
      run.setState(remotes.length, state)
    }
    const before = run.calls.length
    const statuses = await tracker.readStatus(run.context, remotes)
    expect(statuses.map(({ id, state, name }) => [id, state, name])).toEqual([
      [remotes[0]?.id, 'open', 'To Do'],
      [remotes[1]?.id, 'open', 'Doing'],
      [remotes[2]?.id, 'open', 'Testing'],
      [remotes[3]?.id, 'closed', 'Done'],
      [remotes[4]?.id, 'closed', 'Removed'],
    ])
    expect(run.calls.length - before).toBe(2)
    await tracker.readStatus(run.context, remotes)
    expect(run.calls.length - before).toBe(3)
  })

  it.each([
    ['Removed', 'Removed from the backlog', 'Removed'],
    ['Done', 'Duplicate', 'Duplicate'],
    ['Done', 'As Designed', 'As Designed'],
    ['Won’t do', 'Moved to state Won’t do', 'Won’t do'],
  ])('takes an item in the state %s for the reason “%s” for declined', async (state, reason, name) => {
    await using run = await opened()
    const remote = await run.create()
    run.account.type('Issue').states.push({ name: 'Won’t do', category: 'Completed', color: '' })
    run.setState(1, state, reason)
    const told = { id: remote.id, state: 'closed', name, declined: true }
    expect(await tracker.readStatus(run.context, [remote])).toEqual([told])
  })

  it.each(['Work finished', 'Moved to state Done', undefined])('takes a completed one for done: %s', async (reason) => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, 'Done', reason)
    expect(await tracker.readStatus(run.context, [remote])).toEqual([{ id: remote.id, state: 'closed', name: 'Done' }])
  })

  it('reads the states of a type again where one is new', async () => {
    await using run = await opened()
    const remote = await run.create()
    await tracker.readStatus(run.context, [remote])
    run.account.type('Issue').states.push({ name: 'Shipped', category: 'Completed', color: '' })
    run.setState(1, 'Shipped')
    expect(await tracker.readStatus(run.context, [remote])).toMatchObject([{ state: 'closed', name: 'Shipped' }])
  })

  it('follows items of other projects, and takes those of another organisation for gone', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.context.settings['project'] = [run.account.project(1).id]
    const other = await tracker.create(run.context, { document: documentFor(randomUUID()), reopen: false })
    const lost = { ...remote, id: remote.id.replace('fabrikam', 'contoso') }
    const broken = { ...remote, id: 'nothing' }
    const statuses = await tracker.readStatus(run.context, [remote, lost, other, broken])
    expect(new Map(statuses.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [remote.id, 'open'],
        [lost.id, 'gone'],
        [other.id, 'open'],
        [broken.id, 'gone'],
      ]),
    )
    expect(await failureFrom(run.update(lost))).toBeInstanceOf(ItemGone)
  })

  it('takes nothing for gone where its project is out of reach, and still reads the items of other projects', async () => {
    await using run = await opened()
    const remotes = [await run.create(), await run.create()]
    run.context.settings['project'] = [run.account.project(1).id]
    const other = await tracker.create(run.context, { document: documentFor(randomUUID()), reopen: false })
    run.account.projects.splice(0, 1)
    const before = run.calls.length
    expect(await tracker.readStatus(run.context, [...remotes, other])).toEqual([
      { id: other.id, state: 'open', name: 'To Do' },
    ])
    expect(
      run
        .requests()
        .slice(before)
        .filter((one) => one === 'GET projects/{projectId}'),
    ).toHaveLength(1)
    expect(run.context.log.lines).toHaveLength(1)
    const [remote = other] = remotes
    expect(await failureFrom(run.update(remote))).toMatchObject({ kind: 'rejected', code: 'TF200016' })
    expect(await failureFrom(run.update(remote))).not.toBeInstanceOf(ItemGone)
  })

  it('fails as a whole where it cannot be known whether a project is out of reach', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.hide(1)
    run.faults.limitAfter = 1
    expect(await failureFrom(tracker.readStatus(run.context, [remote]))).toMatchObject({ kind: 'rate-limited' })
  })

  it('follows an item to another project, and goes by the states of its type there', async () => {
    await using run = await opened()
    const remote = await run.create()
    const there = run.account.project(1)
    there.name = 'R&D / Web'
    const [type] = there.types
    type?.states.splice(0, type.states.length)
    type?.states.push({ name: 'Open', category: 'Proposed', color: '' })
    type?.states.push({ name: 'Shipped', category: 'Completed', color: '' })
    run.move(1, there)
    expect(await tracker.readStatus(run.context, [remote])).toEqual([{ id: remote.id, state: 'open', name: 'Open' }])
    run.setState(1, 'Shipped')
    expect(await tracker.readStatus(run.context, [remote])).toEqual([
      { id: remote.id, state: 'closed', name: 'Shipped' },
    ])
    const commented = await run.update(remote)
    expect(commented).toMatchObject({ id: remote.id, data: { ...remote.data, comment: 101 } })
    expect(await run.update(commented, true)).toMatchObject({ status: 'open', statusName: 'Open' })
    expect(run.account.items).toMatchObject([{ comments: [{ id: 101 }] }])
  })

  it('asks for nothing where nothing is to be read', async () => {
    await using run = await opened()
    expect(await tracker.readStatus(run.context, [])).toEqual([])
    expect(run.calls).toEqual([])
  })
})

describe('verifying', () => {
  it('lets Azure DevOps check an item without creating it, and without a tag', async () => {
    await using run = await opened()
    expect(await tracker.verify(run.context)).toBe('Work items of type Issue may be created in Fernweh')
    run.account.describesChecks = false
    expect(await tracker.verify(run.context)).toBe('Work items of type Issue may be created in the project')
    run.calls.pop()
    expect(run.account.items).toEqual([])
    expect(run.calls).toHaveLength(2)
    expect(run.calls[1]).toMatchObject({ method: 'POST', query: { validateOnly: 'true', 'api-version': '7.1' } })
    expect(JSON.stringify(run.calls[1]?.json)).not.toContain('System.Tags')
  })
})
