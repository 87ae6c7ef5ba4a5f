import { describe, expect, it } from 'vitest'
import { ItemGone } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { opened } from './testing.ts'
import { tracker } from './tracker.ts'

describe('updating a work item', () => {
  it('replaces its description and leaves its title, tags and links alone', async () => {
    await using run = await opened()
    const remote = await run.create()
    const [item] = run.account.items
    Object.assign(item?.fields ?? {}, { 'System.Title': 'Renamed by the team', 'System.Tags': 'mine' })
    const document = documentFor(run.document.marker, { title: 'Other', counts: { mentions: 812, people: 7 } })
    await tracker.update(run.context, remote, { document, reopen: false })
    expect(item).toMatchObject({ comments: [], relations: [{ rel: 'Hyperlink' }] })
    expect(item?.fields).toMatchObject({ 'System.Title': 'Renamed by the team', 'System.Tags': 'mine' })
    expect(item?.fields['System.Description']).toContain('812')
  })

  it('takes one request once the fields and states of the type are known', async () => {
    await using run = await opened()
    const remote = await run.create()
    await run.update(remote)
    await run.update(remote)
    expect(run.requests().slice(2)).toEqual([
      'PATCH wit/workitems/{id}',
      'GET wit/workitemtypes/{type}/fields',
      'GET wit/workitemtypes/{type}/states',
      'PATCH wit/workitems/{id}',
    ])
  })

  it('says in one comment that a closed item was mentioned again, also when it forgot which', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setState(1, 'Done')
    for (let round = 0; round < 10; round += 1) remote = await run.update(remote)
    for (let round = 0; round < 10; round += 1) remote = await run.update({ ...remote, data: {} })
    expect(remote).toMatchObject({ status: 'closed', statusName: 'Done', data: { comment: 101 } })
    const marker = `<code>gs-${run.document.marker}</code>`
    expect(run.account.items[0]?.comments).toEqual([
      {
        id: 101,
        text: `<p>Customers mentioned this again after the work item was closed: 3 mentions from 2 people in total, as of 2026-03-02. ${marker}</p>`,
      },
    ])
  })

  it('uses the version of the API that comments need', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, 'Done')
    await run.update(await run.update(remote))
    const comments = run.calls.filter(({ path }) => path.includes('/comments'))
    expect(comments.map(({ method, query }) => [method, query['api-version']])).toEqual([
      ['GET', '7.1-preview.4'],
      ['POST', '7.1-preview.4'],
      ['PATCH', '7.1-preview.4'],
    ])
  })

  it('writes the comment again where someone deleted it, and changes nobody else’s', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setState(1, 'Done')
    remote = await run.update(remote)
    const [item] = run.account.items
    item?.comments.splice(0, 1, { id: 7, text: 'A comment of the team' })
    remote = await run.update(remote)
    expect(item?.comments).toMatchObject([{ id: 7, text: 'A comment of the team' }, { id: remote.data['comment'] }])
    expect(item?.comments).toHaveLength(2)
  })

  it('never changes a comment that quotes its own', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, 'Done')
    await run.update(remote)
    const [item] = run.account.items
    const quote = { id: 500, text: `<p>See: ${item?.comments[0]?.text}</p>` }
    item?.comments.push({ ...quote })
    expect((await run.update({ ...remote, data: {} })).data).toEqual({ comment: 101 })
    expect(item?.comments.at(-1)).toEqual(quote)
  })

  it('writes the comment again where it is changed but stays deleted', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setState(1, 'Done')
    remote = await run.update(remote)
    Object.assign(run.account.items[0]?.comments[0] ?? {}, { isDeleted: true })
    remote = await run.update(remote)
    expect(remote.data['comment']).toBe(102)
    expect((await run.update({ ...remote, data: {} })).data['comment']).toBe(102)
    expect(run.account.items[0]?.comments).toMatchObject([{ id: 101, isDeleted: true }, { id: 102 }])
  })

  it.each(['Done', 'Removed'])('reopens one that is %s into the first state to start with', async (state) => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, state)
    expect(await run.update(remote, true)).toMatchObject({ status: 'open', statusName: 'To Do' })
    expect(run.account.items[0]?.comments).toEqual([])
  })

  it('reopens into a state in progress where a type has none to start with, and comments where it has neither', async () => {
    await using run = await opened()
    const remote = await run.create()
    const { states } = run.account.type('Issue')
    const keep = (...categories: string[]) =>
      states.splice(0, states.length, ...states.filter(({ category }) => categories.includes(category)))
    run.setState(1, 'Done')
    keep('InProgress', 'Completed')
    expect(await run.update(remote, true)).toMatchObject({ statusName: 'Doing' })
    run.setState(1, 'Done')
    keep('Completed')
    const fresh = { ...run.context, cache: <T>(create: () => T) => create() }
    const commented = await tracker.update(fresh, remote, { document: run.document, reopen: true })
    expect(commented).toMatchObject({ status: 'closed', data: { comment: 101 } })
  })

  it('comments where a rule of the process does not allow to reopen', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, 'Done')
    run.account.rules.state = true
    expect(await run.update(remote, true)).toMatchObject({ status: 'closed', data: { comment: 101 } })
    expect(run.account.items[0]?.comments).toHaveLength(1)
    expect(run.context.log.lines).toHaveLength(1)
    expect(run.context.log.lines.join('\n')).not.toContain('Export stops')
  })

  it('comments where a rule makes closed items read-only, and still reopens them', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, 'Done')
    run.account.rules.closed = true
    expect(await run.update(remote)).toMatchObject({ status: 'closed', data: { comment: 101 } })
    expect(await run.update(remote, true)).toMatchObject({ status: 'open' })
  })

  it('does not hide a rule that refuses the description of an open item', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.account.rules.description = true
    const error = await failureFrom(run.update(remote))
    expect(error).toMatchObject({ kind: 'rejected', code: 'TF401320' })
    expect(run.account.items[0]?.comments).toEqual([])
  })

  it('moves nothing that is open', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, 'Doing')
    expect(await run.update(remote, true)).toMatchObject({ status: 'open', statusName: 'Doing' })
    expect(run.requests().filter((request) => request.startsWith('PATCH'))).toHaveLength(1)
  })

  it.each(['deleted', 'hidden'])('reports an item that is %s as gone', async (how) => {
    await using run = await opened()
    const remote = await run.create()
    if (how === 'deleted') run.remove(1)
    else run.hide(1)
    const error = await failureFrom(run.update(remote))
    expect(error).toBeInstanceOf(ItemGone)
    expect((error as ItemGone).ledger).toMatchObject({ status: 404 })
  })

  it('keeps an item in its own project when another one is chosen', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.context.settings['project'] = [run.account.project(1).id]
    expect(await run.update(remote)).toMatchObject({ id: remote.id, status: 'open' })
  })
})
