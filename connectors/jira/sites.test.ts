import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor } from '../kit/testing.ts'
import type { RemoteItem } from '../tracker.ts'
import { openJira, signedIn } from './testing.ts'
import { tracker } from './tracker.ts'

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
