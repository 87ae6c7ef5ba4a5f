import { afterAll, beforeAll, expect, it } from 'vitest'
import { createImport, runImport } from '../feedback/index.ts'
import { connect, type McpTest, startMcp, use } from './testing.ts'

const GOOD = 'https://desk.example/1'
const BAD = ['javascript:alert(1)', 'data:text/html;base64', '//evil.example/x', 'https://a@evil.example/']
/** What is in a reply if one of the links is. */
const BAD_IN_REPLY = /javascript:|data:text|evil\.example/

let mcp: McpTest
let imported: Awaited<ReturnType<typeof runImport>>
const hooks = { stored: async () => {} }

/** Bo's feedback from a file, grouped into an insight; one of its links is good. */
beforeAll(async () => {
  mcp = await startMcp()
  const rows = Array.from({ length: 15 }, (_, n) => {
    const link = n === 0 ? GOOD : BAD[n % BAD.length]
    return `${n},The CSV export fails on large reports (${n}),person ${n},thread ${n},${link}`
  })
  const bytes = async function* () {
    yield Buffer.from(['id,text,author,thread,link', ...rows].join('\n'))
  }
  const { services } = mcp.test
  const choice = { name: 'tickets.csv' }
  const { id } = await createImport(services, mcp.bo.workspaceId, choice, bytes(), { background: false })
  imported = await runImport(services, mcp.bo.workspaceId, id, hooks)
  await mcp.group(mcp.bo)
})
afterAll(() => mcp.test.cleanup())

const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await mcp.test.call(method, url, { as: mcp.bo, ...(payload ? { payload } : {}) })
  expect([url, answer.statusCode]).toEqual([url, 200])
  return answer.body
}

it('calls, exports and tools pass on the good link of a file, and none of the bad ones', async () => {
  expect(imported).toMatchObject({ state: 'done', added: 15, bad: 0 })
  const [{ issue_number }] = JSON.parse(await ask('GET', '/api/insights/get-all'))
  const insight = `/api/insights/${issue_number}`
  const agent = await connect(mcp.url, await mcp.keyOf(mcp.bo, ['read']))
  const replies: Record<string, string> = {
    list: await ask('GET', '/api/insights/get-all'),
    evidence: await ask('GET', `${insight}/evidence?limit=50`),
    askers: await ask('GET', `${insight}/askers`),
    'askers as CSV': await ask('POST', `${insight}/askers/export`),
    CSV: await ask('POST', '/api/insights/export', { format: 'csv' }),
    'JSON lines': await ask('POST', '/api/insights/export', { format: 'jsonl' }),
    search: await ask('GET', '/api/feedback/search?words=export'),
    read_insight: JSON.stringify(await use(agent, 'read_insight', { issue_number, limit: 50 })),
    search_feedback: JSON.stringify(await use(agent, 'search_feedback', { words: 'CSV export', limit: 50 })),
  }
  await agent.close()
  for (const [name, reply] of Object.entries(replies)) {
    expect([name, reply.includes(GOOD), BAD_IN_REPLY.test(reply)]).toEqual([name, true, false])
  }
})
