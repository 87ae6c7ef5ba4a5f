import { describe, expect, it } from 'vitest'
import { failureFrom, recordingLog, startServer } from '../kit/testing.ts'
import { choices } from './choices.ts'
import { drain, madeUp, openIntercom, signedIn } from './testing.ts'

const DAY_MS = 86_400_000
const subjects = (items: readonly { attributes?: Record<string, string> }[]) =>
  items.map(({ attributes }) => attributes?.subject ?? '').toSorted()

/** A workspace with conversations of two teams and two tags. */
async function open() {
  const intercom = await openIntercom()
  const at = (days: number) => Date.now() - days * DAY_MS
  intercom.open({ ...madeUp('plain', 1), at: at(40) })
  intercom.open({ ...madeUp('support', 1), team: 'Support', at: at(30) })
  intercom.open({ ...madeUp('billing', 1), team: 'Billing', at: at(20) })
  intercom.open({ ...madeUp('bug', 1), tags: ['bug', 'urgent'], at: at(10) })
  intercom.open({ ...madeUp('idea', 1), tags: ['idea'], at: at(5) })
  const id = (list: readonly { id: string; name: string }[], name: string) =>
    list.find((one) => one.name === name)?.id ?? ''
  return {
    ...intercom,
    team: (name: string) => id(intercom.workspace.teams, name),
    tag: (name: string) => id(intercom.workspace.tags, name),
    date: (days: number) => new Date(at(days)).toISOString().slice(0, 10),
    [Symbol.asyncDispose]: () => intercom.stop(),
  }
}
const ALL = ['billing', 'bug', 'idea', 'plain', 'support'].map((name) => `Subject of ${name}`)

describe('the choices', () => {
  it('are a start date, teams and tags by name, and kinds of authors; none is required', async () => {
    await using intercom = await open()
    const listed = await choices(await signedIn(intercom))
    expect(listed.map(({ field, kind = 'select', required = false }) => [field, kind, required])).toEqual([
      ['start_date', 'date', false],
      ['teams', 'select', false],
      ['tags', 'select', false],
      ['authors', 'select', false],
    ])
    expect(listed[1]?.options).toEqual([
      { value: intercom.team('Billing'), label: 'Billing' },
      { value: intercom.team('Support'), label: 'Support' },
    ])
    expect(listed[2]?.options.map(({ label }) => label)).toEqual(['bug', 'idea', 'urgent'])
    expect(listed[3]?.options.map(({ value }) => value)).toEqual(['users', 'leads', 'teammates', 'bots'])
  })

  it.each([
    ['Read admins', 'teams', 'tags'],
    ['Read tags', 'tags', 'teams'],
  ])('without the permission %s say so, and the others are still there', async (permission, lacking, others) => {
    await using intercom = await open()
    const log = recordingLog()
    intercom.withdraw(permission)
    const context = await signedIn(intercom, { log })
    const listed = await choices(context)
    const choice = (name: string) => listed.find(({ field }) => field === name)
    expect(listed).toHaveLength(4)
    expect(choice(lacking)?.options).toEqual([])
    expect(choice(lacking)?.help).toContain(`lacks the permission ${permission}.`)
    expect(choice(others)?.options.length).toBeGreaterThan(0)
    expect(choice(others)?.help).not.toContain('permission')
    expect(log.lines.join()).toContain(`the permission ${permission}`)
    // What needs neither is read.
    const { items } = await drain(await signedIn(intercom, { settings: { start_date: [intercom.date(25)] } }))
    expect(subjects(items)).toEqual(ALL.slice(0, 3))
  })

  it('fail where Intercom does not answer, or the token is invalid', async () => {
    await using intercom = await open()
    const context = await signedIn(intercom)
    intercom.fault('500', 1, 'tags')
    expect(await failureFrom(choices(context))).toMatchObject({ kind: 'unavailable' })
    intercom.fault('revoked', 1, 'teams')
    expect(await failureFrom(choices(context))).toMatchObject({ kind: 'auth' })
  })

  it('that have no name show their id', async () => {
    await using intercom = await open()
    const context = await signedIn(intercom)
    await using server = await startServer(({ url }, response) =>
      response.end(JSON.stringify(url === '/teams' ? { teams: [{ id: 7, name: null }] } : { data: null })),
    )
    const listed = await choices({ ...context, baseUrl: server.url })
    expect(listed[1]?.options).toEqual([{ value: '7', label: '7' }])
    expect(listed[2]?.options).toEqual([])
  })
})

describe('what is chosen', () => {
  it('is read, and by default everything', async () => {
    await using intercom = await open()
    const read = async (settings: Record<string, unknown>) =>
      subjects((await drain(await signedIn(intercom, { settings }))).items)
    expect(await read({})).toEqual(ALL)
    expect(await read({ teams: [], tags: null, authors: [], start_date: [] })).toEqual(ALL)
    expect(await read({ teams: [intercom.team('Support')] })).toEqual(['Subject of support'])
    expect(await read({ tags: [intercom.tag('urgent'), intercom.tag('idea')] })).toEqual([
      'Subject of bug',
      'Subject of idea',
    ])
    expect(await read({ teams: [intercom.team('Support')], tags: [intercom.tag('bug')] })).toEqual([])
    expect(await read({ start_date: [intercom.date(25)] })).toEqual(ALL.slice(0, 3))
    expect(await read({ start_date: ['soon'] })).toEqual(ALL)
  })

  it('costs no request for the conversations that are not chosen', async () => {
    await using intercom = await open()
    await drain(await signedIn(intercom, { settings: { tags: [intercom.tag('bug')] } }))
    expect(intercom.calls().map(({ name }) => name)).toEqual(['me', 'search', 'conversation'])
  })

  it('of authors decides whose messages are read', async () => {
    await using intercom = await openIntercom()
    intercom.open({
      messages: [
        { author: 'Uma', as: 'user', text: 'user' },
        { author: 'Lea', as: 'lead', text: 'lead' },
        { author: 'Con', as: 'contact', text: 'contact' },
        { author: 'Ash', as: 'admin', text: 'admin' },
        { author: 'Fin', as: 'bot', text: 'bot' },
        { author: 'Team', as: 'team', text: 'team' },
      ],
    })
    const read = async (authors: string[]) => {
      const { items, complete } = await drain(await signedIn(intercom, { settings: { authors } }))
      // What was read before stays.
      expect(complete[0]?.ids).toHaveLength(6)
      return items.map(({ text }) => text)
    }
    expect(await read([])).toEqual(['user', 'lead', 'contact', 'admin', 'bot', 'team'])
    expect(await read(['users'])).toEqual(['user', 'contact'])
    expect(await read(['leads', 'bots'])).toEqual(['lead', 'bot'])
    expect(await read(['teammates'])).toEqual(['admin', 'team'])
  })

  it('later is read from the beginning, if it is different or earlier, and from the cursor otherwise', async () => {
    await using intercom = await open()
    const at = async (settings: Record<string, unknown>, cursor: unknown) =>
      drain(await signedIn(intercom, { settings }), cursor)
    const first = await at({ start_date: [intercom.date(15)] }, null)
    expect(subjects(first.items)).toEqual(['Subject of bug', 'Subject of idea'])
    const earlier = await at({ start_date: [intercom.date(35)] }, first.cursor)
    expect(subjects(earlier.items)).toEqual(ALL.filter((subject) => !subject.endsWith('plain')))
    expect((await at({ start_date: [intercom.date(2)] }, earlier.cursor)).items).toEqual([])
    const other = await at({ start_date: [intercom.date(35)], tags: [intercom.tag('idea')] }, earlier.cursor)
    expect(subjects(other.items)).toEqual(['Subject of idea'])
  })

  it('is judged again when the conversation is read: it may have changed since it was listed', async () => {
    await using intercom = await open()
    const context = await signedIn(intercom, { settings: { tags: [intercom.tag('idea')] } })
    intercom.workspace.lag(true)
    const changed = [...intercom.workspace.conversations.values()].find(({ tags }) => tags[0]?.name === 'idea')
    let searched = false
    const http = {
      request: async (request: Parameters<typeof context.http.request>[0]) => {
        const response = await context.http.request(request)
        if (!searched) intercom.workspace.change(changed?.id ?? '', { tags: [] })
        searched = true
        return response
      },
    }
    expect((await drain({ ...context, http })).items).toEqual([])
    expect(intercom.calls().at(-1)?.name).toBe('conversation')
  })
})
