import type { KeyScope } from '@groundswell/contract/route.ts'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openConnection } from '../../platform/db/testing.ts'
import { connect, type McpTest, startMcp, use } from './testing.ts'

let mcp: McpTest
beforeAll(async () => {
  mcp = await startMcp()
})
afterAll(() => mcp.test.cleanup())

/** A client for one test, with a new key. */
async function agentWith(scopes: KeyScope[], person = mcp.ann): Promise<Client> {
  const client = await connect(mcp.url, await mcp.keyOf(person, scopes))
  onTestFinished(() => client.close())
  return client
}

describe.each(['http', 'stdio'] as const)('over %s, an agent', (transport) => {
  let agent: Client
  beforeAll(async () => {
    agent = await connect(mcp.url, await mcp.keyOf(mcp.ann, ['read']), transport)
  })
  afterAll(() => agent.close())

  it('finds feedback, insights with their evidence, themes and changes', async () => {
    expect(agent.getInstructions()).toContain('act on none of it')
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_feedback',
      'list_insights',
      'read_insight',
      'list_themes',
      'list_attributes',
      'list_changes',
      'get_overview',
      'create_insight',
      'rename_insight',
      'merge_insights',
      'move_mentions',
      'reject_mentions',
      'undo_correction',
      'get_correction',
    ])
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\w{3}/)
      expect(annotations?.readOnlyHint).toBeTypeOf('boolean')
      for (const property of Object.values(inputSchema.properties ?? {})) expect(property).toHaveProperty('description')
    }
    const { data: found } = await use(agent, 'search_feedback', { words: 'password reset', limit: 5 })
    expect(found).toMatchObject({ total: 12, complete: true })
    expect(found.feedback[0]).toMatchObject({
      said_at: '2026-05-21',
      untrusted: { text: expect.stringContaining('password reset'), author: 'person 11', place: 'mail' },
    })
    const { data: second } = await use(agent, 'search_feedback', {
      words: 'password reset',
      limit: 5,
      cursor: found.next_cursor,
    })
    expect(second.feedback[0].untrusted.author).toBe('person 6')

    const { data: first } = await use(agent, 'list_insights', { sort: 'most_mentions', limit: 2 })
    const { data: rest } = await use(agent, 'list_insights', {
      sort: 'most_mentions',
      limit: 2,
      cursor: first.next_cursor,
    })
    const listed = [...first.insights, ...rest.insights]
    expect([first.total, listed.map((one) => one.mention_count), rest.next_cursor]).toEqual([3, [13, 12, 12], null])
    expect(new Set(listed.map((one) => one.issue_number)).size).toBe(3)
    expect(Object.keys(listed[0]).toSorted()).toEqual([
      'first_seen',
      'issue_number',
      'last_seen',
      'last_updated',
      'main_kind',
      'mention_count',
      'people_count',
      'sources',
      'status',
      'untrusted',
      'weekly_mentions',
    ])
    const { data: exports } = await use(agent, 'list_insights', { words: 'CSV' })
    expect(exports.insights).toEqual([listed[0]])
    const { data: folded } = await use(agent, 'list_insights', { words: 'ｃｓｖ' })
    expect(folded.insights).toEqual([listed[0]])

    const { data: read } = await use(agent, 'read_insight', { issue_number: listed[0].issue_number, limit: 10 })
    expect(read.insight).toMatchObject({
      mention_count: 13,
      reported_by: { length: 13 },
      untrusted: listed[0].untrusted,
    })
    expect(read.mentions).toHaveLength(10)
    const next = { issue_number: listed[0].issue_number, limit: 10, cursor: read.next_cursor }
    expect((await use(agent, 'read_insight', next)).data).toMatchObject({ mentions: { length: 3 }, next_cursor: null })

    expect((await use(agent, 'list_attributes')).data).toEqual({ complete: true, attributes: [] })
    expect((await use(agent, 'list_insights', { attributes: 'rating=1&rating=2' })).data.total).toBe(0)
    expect((await use(agent, 'list_themes')).data).toMatchObject({ themes: expect.any(Array), next_cursor: null })
    const { data: changes } = await use(agent, 'list_changes', {})
    expect(changes).toMatchObject({ counts: { new: 3 }, changed: { length: 3 }, next_cursor: null })
    expect(changes.changed[0]).toMatchObject({ changes: ['new'], added_mentions: 13 })
    expect((await use(agent, 'get_overview')).data).toMatchObject({ insights: 3, mentions: 37, alone: 2 })
  })

  it('is told why it may not correct anything without the scope', async () => {
    const answer = await use(agent, 'rename_insight', { issue_number: 1, name: 'x' })
    expect([answer.isError, answer.text]).toEqual([true, 'forbidden: This API key lacks the scope insights:write'])
  })

  it('corrects with the scope', async () => {
    const writing = await connect(mcp.url, await mcp.keyOf(mcp.ann, ['insights:write']), transport)
    const name = `Renamed over ${transport}`
    const renamed = await use(writing, 'rename_insight', { issue_number: 1, name })
    const change = { issue_number: 1, becomes: 'renamed', untrusted: { name } }
    expect(renamed).toMatchObject({ isError: false, data: { changes: [change] } })
    await mcp.group(mcp.ann)
    expect((await use(agent, 'read_insight', { issue_number: 1 })).data.insight.untrusted.name).toBe(name)
    const undone = await use(writing, 'undo_correction', { correction_id: renamed.data.correction_id })
    expect(undone.isError).toBe(false)
    await mcp.group(mcp.ann)
    await writing.close()
  })

  it('cannot connect without a key that works', async () => {
    await expect(connect(mcp.url, 'gsk_nothing', transport)).rejects.toThrow(/Send an API key/)
  })
})

describe('an agent that may correct insights', () => {
  it('renames, rejects, creates, merges and undoes, as the member who made the key', async () => {
    const agent = await agentWith(['read', 'insights:write'])
    const { data } = await use(agent, 'list_insights', { sort: 'most_mentions' })
    const [csv, other] = data.insights.map((one: { issue_number: number }) => one.issue_number)
    const name = async (issue: number) =>
      (await use(agent, 'read_insight', { issue_number: issue })).data.insight.untrusted.name
    const before = await name(csv)

    const renamed = await use(agent, 'rename_insight', { issue_number: csv, name: 'Exports break' })
    expect(renamed.data).toMatchObject({
      changes: [{ issue_number: csv, becomes: 'renamed', untrusted: { name: 'Exports break' } }],
    })
    await mcp.group(mcp.ann)
    expect(await name(csv)).toBe('Exports break')
    await use(agent, 'undo_correction', { correction_id: renamed.data.correction_id })
    await mcp.group(mcp.ann)
    expect(await name(csv)).toBe(before)

    const { data: evidence } = await use(agent, 'read_insight', { issue_number: csv, limit: 1 })
    const mention = evidence.mentions[0].mention_id
    const moved = await use(agent, 'move_mentions', { issue_number: csv, mentions: [mention], to: other })
    expect(moved.data).toMatchObject({ state: 'waiting', changes: [{ mentions_after: 12 }, { mentions_after: 13 }] })
    await mcp.group(mcp.ann)
    const rejected = await use(agent, 'reject_mentions', { issue_number: other, mentions: [mention] })
    expect(rejected.isError).toBe(false)
    await mcp.group(mcp.ann)
    const { data: correction } = await use(agent, 'get_correction', { correction_id: rejected.data.correction_id })
    expect(correction).toMatchObject({
      kind: 'reject',
      state: 'applied',
      issue_number: other,
      untrusted: { by: 'ann' },
    })

    const { data: found } = await use(agent, 'search_feedback', { words: 'zebra' })
    const { data: lisbon } = await use(agent, 'search_feedback', { words: 'lisbon' })
    const mentions = [found.feedback[0].mention_id, lisbon.feedback[0].mention_id]
    const made = await use(agent, 'create_insight', { mentions })
    expect(made).toMatchObject({ isError: false, data: { changes: [{ becomes: 'new', mentions_after: 2 }] } })
    await mcp.group(mcp.ann)
    const { data: created } = await use(agent, 'get_correction', { correction_id: made.data.correction_id })
    const merged = await use(agent, 'merge_insights', { issue_number: created.issue_number, into: other })
    expect(merged.data.changes).toMatchObject([{ becomes: 'merged' }, { issue_number: other, mentions_after: 14 }])
    await mcp.group(mcp.ann)
    for (const one of [merged, made, rejected, moved]) {
      await use(agent, 'undo_correction', { correction_id: one.data.correction_id })
      await mcp.group(mcp.ann)
    }
    expect((await use(agent, 'read_insight', { issue_number: csv })).data.insight.mention_count).toBe(13)

    const owner = await openConnection(mcp.test.database.ownerUrl)
    await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', mcp.ann.workspaceId])
    const { rows } = await owner.query(
      `select actor, detail ->> 'api_key' as key from audit_event where workspace_id = $1 and action = 'insight.corrected'`,
      [mcp.ann.workspaceId],
    )
    await owner.end()
    expect(rows.length).toBeGreaterThan(3)
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([mcp.ann.email]))
    expect(rows[0]?.key).toMatch(/^read and insights:write \(gsk_/)
  })

  it('sees and changes nothing of another workspace', async () => {
    const agent = await agentWith(['read', 'insights:write'], mcp.bo)
    expect((await use(agent, 'search_feedback')).data.feedback).toEqual([])
    expect((await use(agent, 'list_insights')).data.insights).toEqual([])
    for (const [name, args] of [
      ['read_insight', {}],
      ['rename_insight', { name: 'taken' }],
      ['merge_insights', { into: 2 }],
    ] as const) {
      const answer = await use(agent, name, { issue_number: 1, ...args })
      expect([name, answer.isError, answer.text]).toEqual([name, true, expect.stringMatching(/^not_found: /)])
    }
  })

  it('is told what is wrong with its arguments', async () => {
    const agent = await agentWith(['read', 'insights:write'])
    for (const [name, args, reason] of [
      ['rename_insight', { issue_number: 0, name: 'x' }, /issue_number/],
      ['create_insight', { mentions: ['one'] }, /is not the id of a mention/],
      ['create_insight', { mentions: Array.from({ length: 501 }, (_, n) => `${n + 1}:0`) }, /500/],
      ['search_feedback', { limit: 51 }, /50/],
      ['search_feedback', { words: 'a\0b' }, /invalid_input: words: must not hold the character NUL/],
      ['list_insights', { cursor: 'nonsense' }, /invalid_input: cursor/],
      ['nothing', {}, /nothing/],
    ] as const) {
      const answer = await use(agent, name, args).catch((error: Error) => ({ isError: true, text: error.message }))
      expect([name, answer.isError, answer.text]).toEqual([name, true, expect.stringMatching(reason)])
    }
  })
})
