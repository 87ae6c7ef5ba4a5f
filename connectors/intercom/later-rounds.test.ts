import { describe, expect, it } from 'vitest'
import { createPageStore } from '../kit/page-store.ts'
import { failureFrom } from '../kit/testing.ts'
import { readThroughKills } from '../kit/worlds/source.ts'
import { pull } from './pull.ts'
import { drain, fill, idsOf, madeUp, many, openIntercom, signedIn } from './testing.ts'

const ids = (items: readonly { externalId: string }[]) => items.map(({ externalId }) => externalId).toSorted()

describe('a later round', () => {
  it('yields a reply on an old conversation, and reads no other one', async () => {
    await using intercom = await openIntercom()
    const [old = ''] = fill(intercom, many(5, 3))
    const context = await signedIn(intercom)
    const first = await drain(context)
    const before = intercom.calls().length
    const reply = intercom.reply(old, { author: 'Person c-0', text: 'still broken' })
    const second = await drain(context, first.cursor)
    expect(ids(second.items)).toContain(`${old}:${reply}`)
    expect(new Set(second.items.map(({ thread }) => thread))).toEqual(new Set([old]))
    expect(intercom.calls().length - before).toBe(2)
  })

  it('replaces what was redacted, with a version, and keeps the id', async () => {
    await using intercom = await openIntercom()
    const [conversation = ''] = fill(intercom, [madeUp('card', 2)])
    const context = await signedIn(intercom)
    const first = await drain(context)
    expect(first.items.every((item) => item.version === undefined)).toBe(true)
    intercom.redact(conversation, null, '<p>customer ****</p>')
    const { items, deleted } = await drain(context, first.cursor)
    const item = items.find(({ externalId }) => externalId === `${conversation}:source`)
    expect(item?.text).toBe('customer ****')
    expect(item?.version).toBe(intercom.workspace.conversation(conversation).updated * 1_000_000)
    expect(deleted).toEqual([])
  })

  it('deletes a message that a redaction emptied', async () => {
    await using intercom = await openIntercom()
    const [conversation = ''] = fill(intercom, [madeUp('card', 3)])
    const context = await signedIn(intercom)
    const store = createPageStore()
    for await (const page of pull(context, null)) store.commit(page)
    const part = intercom.workspace.conversation(conversation).parts[1]?.id ?? ''
    intercom.redact(conversation, part)
    for await (const page of pull(context, store.cursor())) store.commit(page)
    expect(store.items.size).toBe(2)
    expect(store.items.has(`${conversation}:${part}`)).toBe(false)
  })

  it('removes a part that is no longer there', async () => {
    await using intercom = await openIntercom()
    const [conversation = ''] = fill(intercom, [madeUp('a', 3)])
    const context = await signedIn(intercom)
    const first = await drain(context)
    intercom.workspace.conversation(conversation).parts.splice(0, 1)
    intercom.workspace.change(conversation, { state: 'closed' })
    const { complete } = await drain(context, first.cursor)
    const span = { prefix: `${conversation}:`, thread: conversation, after: null, before: null }
    expect(complete).toEqual([{ ...span, ids: idsOf(intercom) }])
    expect(idsOf(intercom)).toHaveLength(2)
  })

  it('removes a conversation that was deleted while it waited', async () => {
    await using intercom = await openIntercom()
    const [one = '', two = ''] = fill(intercom, many(2))
    const context = await signedIn(intercom)
    const pages = pull(context, null)
    await pages.next()
    intercom.remove(two)
    const rest: string[] = []
    const gone: string[] = []
    for (let page = await pages.next(); !page.done; page = await pages.next()) {
      rest.push(...page.value.items.map(({ thread }) => thread ?? ''))
      gone.push(...(page.value.deletedThreads ?? []))
    }
    expect({ rest, gone }).toEqual({ rest: [one], gone: [two] })
  })
})

describe('a conversation that is not found', () => {
  const reads = (url: string) => /\/conversations\/\d+$/.test(url)

  it('is removed only where Intercom says so: a 404 of a proxy is an outage', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(2))
    const context = await signedIn(intercom)
    const { cursor } = await drain(context)
    const [one = ''] = intercom.workspace.conversations.keys()
    intercom.reply(one, { author: 'Person c-0', text: 'again' })
    const http = {
      request: async (request: Parameters<typeof context.http.request>[0]) => {
        const response = await context.http.request(request)
        return reads(request.url) ? { ...response, status: 404, body: '<h1>Not Found</h1>' } : response
      },
    }
    expect(await failureFrom(drain({ ...context, http }, cursor))).toMatchObject({ kind: 'unavailable' })
    const { items, deletedThreads } = await drain(context, cursor)
    expect(deletedThreads).toEqual([])
    expect(items.map(({ text }) => text)).toContain('again')
  })
})

describe('the cursor', () => {
  it('remembers what is still to be read: nothing is requested twice after ten kills', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(25, 2))
    const context = await signedIn(intercom)
    const seen = await readThroughKills(pull, context, 10)
    expect(seen.toSorted()).toEqual(idsOf(intercom).toSorted())
    expect(intercom.calls().filter(({ name }) => name === 'conversation')).toHaveLength(25)
  })

  it('stays small: one page of waiting conversations, and at most 1,000 that were read', async () => {
    await using intercom = await openIntercom()
    const at = Date.now() - 60_000
    for (const post of many(1300)) intercom.open({ ...post, at })
    const context = await signedIn(intercom)
    let largest = 0
    for await (const { cursor } of pull(context, null)) largest = Math.max(largest, JSON.stringify(cursor).length)
    expect(largest).toBeGreaterThan(20_000)
    expect(largest).toBeLessThan(32_000)
  })

  it.each(['ascending', 'descending'])(
    'loses nothing when it is refused, whether the search is ascending, as asked for, or %s',
    async (order) => {
      await using intercom = await openIntercom()
      const all = fill(intercom, many(320))
      const context = await signedIn(intercom)
      const store = createPageStore()
      const http = {
        request: async (request: Parameters<typeof context.http.request>[0]) => {
          const isSearch = request.url.endsWith('/search')
          // A search that ignores the order that is asked for.
          const body = isSearch && typeof request.body === 'string' ? request.body.replace('ascending', order) : null
          const response = await context.http.request({ ...request, ...(body === null ? {} : { body }) })
          // Listed with a newer change than the one that it is sorted by.
          const fresh = `"updated_at":${Math.floor(Date.now() / 1000) - 60}`
          const listed = new RegExp(`("id":"${all[10] ?? ''}","created_at":\\d+),"updated_at":\\d+`)
          return isSearch ? { ...response, body: response.body.replace(listed, `$1,${fresh}`) } : response
        },
      }
      let pages = 0
      for await (const page of pull({ ...context, http }, null)) {
        store.commit(page)
        pages += 1
        if (pages === 151) intercom.fault('expired-cursor', 1, 'search')
      }
      expect([...store.items.keys()].toSorted()).toEqual(idsOf(intercom).toSorted())
    },
  )

  it('of the search that Intercom no longer accepts is repeated from the oldest change of its last page', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(320))
    const context = await signedIn(intercom)
    const store = createPageStore()
    let pages = 0
    for await (const page of pull(context, null)) {
      store.commit(page)
      pages += 1
      if (pages === 151) intercom.fault('expired-cursor', 1, 'search')
    }
    expect([...store.items.keys()].toSorted()).toEqual(idsOf(intercom).toSorted())
    expect(Math.max(...store.times.values())).toBe(1)
    expect(intercom.calls().filter(({ name }) => name === 'search')).toHaveLength(5)
  })
})
