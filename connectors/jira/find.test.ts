import { describe, expect, it } from 'vitest'
import { opened, requestsOf } from './testing.ts'
import { tracker } from './tracker.ts'

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
      fields: ['summary', 'status', 'resolution'],
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
