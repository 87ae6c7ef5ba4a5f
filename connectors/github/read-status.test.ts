import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import type { RemoteItem } from '../tracker.ts'
import { readStatus } from './read-status.ts'
import { asked, opened } from './testing.ts'
import { tracker } from './tracker.ts'

/** A sandbox with this many issues of ours. */
async function many(count: number) {
  const run = await opened()
  const remotes: RemoteItem[] = []
  for (let at = 0; at < count; at += 1) {
    remotes.push(await tracker.create(run.context, { document: documentFor(randomUUID()), reopen: false }))
  }
  run.calls.splice(0)
  const states = async () => (await readStatus(run.context, remotes)).map(({ state }) => state)
  return { ...run, remotes, states }
}

describe('reading states', () => {
  it.each([
    ['completed', { name: 'Completed' }],
    ['not_planned', { name: 'Not planned', declined: true }],
    ['duplicate', { name: 'Duplicate', declined: true }],
    [null, { name: null }],
    ['a_new_reason', { name: null }],
  ])('names the reason %s', async (reason, words) => {
    await using run = await many(1)
    run.setState(run.remotes[0]?.id ?? '', 'closed', reason)
    expect(await readStatus(run.context, run.remotes)).toEqual([{ id: run.remotes[0]?.id, state: 'closed', ...words }])
  })

  it('takes one request for many issues, and one each for what the list does not have', async () => {
    await using run = await many(40)
    expect(await run.states()).toEqual(Array.from({ length: 40 }, () => 'open'))
    expect(asked(run)).toEqual(['GET /repos/acme/support/issues'])
    run.remove(run.remotes[7]?.id ?? '')
    run.calls.splice(0)
    expect((await run.states()).filter((state) => state === 'gone')).toHaveLength(1)
    expect(asked(run)).toEqual(['GET /repos/acme/support/issues', 'GET /repos/acme/support/issues/8'])
  })

  it('reads no list for one or two', async () => {
    await using run = await many(2)
    await run.states()
    expect(asked(run)).toEqual(['GET /repos/acme/support/issues/1', 'GET /repos/acme/support/issues/2'])
  })

  it('stops the list behind the oldest issue, and reads old ones one by one behind its end', async () => {
    await using run = await many(3)
    const fill = (count: number) => {
      for (let at = 0; at < count; at += 1) run.hub.open(run.support, run.hub.person('ann'), { title: 'x', body: '' })
    }
    fill(150)
    expect(await run.states()).toEqual(['open', 'open', 'open'])
    expect(run.calls).toHaveLength(2)
    fill(900)
    run.calls.splice(0)
    expect(await run.states()).toEqual(['open', 'open', 'open'])
    expect(run.calls).toHaveLength(10 + 3)
  })

  it('reads no further than the oldest issue where one is missing', async () => {
    await using run = await opened()
    const { hub, support, context } = run
    for (let at = 0; at < 150; at += 1) hub.open(support, hub.person('ann'), { title: 'x', body: '' })
    const remotes = [await run.create(), await run.create(), await run.create()]
    run.remove(remotes[1]?.id ?? '')
    run.calls.splice(0)
    expect((await readStatus(context, remotes)).map(({ state }) => state)).toEqual(['open', 'gone', 'open'])
    expect(asked(run)).toEqual(['GET /repos/acme/support/issues', 'GET /repos/acme/support/issues/152'])
  })

  it.each(['ben', 'a-name-that-is-no-longer-known'])('reads issues that are not of %s one by one', async (login) => {
    await using run = await many(3)
    const context = { ...run.context, settings: { ...run.context.settings, login } }
    expect((await readStatus(context, run.remotes)).map(({ state }) => state)).toEqual(['open', 'open', 'open'])
    expect(run.calls).toHaveLength(4)
  })

  it('follows an issue to another repository under the id that is stored', async () => {
    await using run = await many(1)
    const [remote] = run.remotes
    const moved = run.transfer(remote?.id ?? '', run.hub.addRepository('acme', 'app'))
    run.setState(String(moved.id), 'closed', 'completed')
    expect(await readStatus(run.context, run.remotes)).toEqual([{ id: remote?.id, state: 'closed', name: 'Completed' }])
    run.transfer(String(moved.id), run.hide())
    expect(await readStatus(run.context, run.remotes)).toEqual([{ id: remote?.id, state: 'gone', name: null }])
  })

  it.each([1, 3])(
    'reports %i issues as gone whose repository was replaced by one with the same name',
    async (count) => {
      await using run = await many(count)
      run.hub.rename(run.support, 'helpdesk')
      const other = run.hub.addRepository('acme', 'support')
      for (const { id } of run.remotes) run.hub.open(other, run.hub.person('ann'), { title: id, body: '' })
      expect(await run.states()).toEqual(run.remotes.map(() => 'gone'))
    },
  )

  it('reports an issue in a circle of redirects as gone', async () => {
    await using run = await many(1)
    const [remote] = run.remotes
    const { hub, support } = run
    const moved = run.transfer(remote?.id ?? '', hub.addRepository('acme', 'app'))
    const { repository } = hub.locate(String(moved.id))
    hub.remove(String(moved.id))
    repository.left.set(1, { repository: support, number: 1 })
    expect(await readStatus(run.context, run.remotes)).toEqual([{ id: remote?.id, state: 'gone', name: null }])
    expect(run.calls).toHaveLength(3)
  })

  it.each([{ hidden: true }, { hasIssues: false }])('says nothing where the repository is %j', async (state) => {
    await using run = await many(3)
    Object.assign(run.support, state)
    expect(await failureFrom(readStatus(run.context, run.remotes))).toMatchObject({ kind: 'rejected' })
    expect(await failureFrom(readStatus(run.context, run.remotes.slice(0, 1)))).toMatchObject({ kind: 'rejected' })
  })

  it('reads the other repositories where one is out of reach', async () => {
    await using run = await many(1)
    const there = { ...run.context, settings: { ...run.context.settings, repository: ['acme/website'], labels: [] } }
    const other = await tracker.create(there, { document: documentFor(randomUUID()), reopen: false })
    run.support.hidden = true
    expect(await readStatus(run.context, [...run.remotes, other])).toEqual([
      { id: other.id, state: 'open', name: null },
    ])
    expect(run.context.log.lines).toEqual([expect.stringContaining('"items":1')])
  })

  it('fails as a whole when GitHub is not available', async () => {
    await using run = await many(3)
    run.faults.arm('500')
    expect(await failureFrom(readStatus(run.context, run.remotes))).toMatchObject({ kind: 'unavailable' })
  })

  it('sends nothing for no items', async () => {
    await using run = await many(0)
    expect(await readStatus(run.context, [])).toEqual([])
    expect(run.calls).toEqual([])
  })
})
