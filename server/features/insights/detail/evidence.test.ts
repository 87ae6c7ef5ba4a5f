import type { Mention } from '@groundswell/contract/insights.ts'
import { beforeEach, expect, test } from 'vitest'
import { withWorld, world } from '../testing.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

type Page = { mentions: Mention[]; next_cursor: string | null }
const page = async (query = '') => (await world.call(workspace, 'GET', `/api/insights/1/evidence${query}`)).body as Page

test('quotes are exact parts of the message, whatever characters it contains', async () => {
  const messages = [
    { message: '👋🏽 hello 🤯 the export 💥 fails 🙃 always', text: 'the export 💥 fails' },
    { message: '𝒳𝒴𝒵 cafe\u0301 ﷽ résumé bricht ab', text: 'résumé bricht ab' },
    { message: '👩‍👩‍👧 nur das 👩‍👩‍👧', text: '👩‍👩‍👧 nur' },
    { message: `${'🤖'.repeat(3000)}am Ende kaputt`, text: 'am Ende kaputt' },
  ]
  await world.insight(workspace, 1, messages)
  const { mentions } = await page()
  expect(mentions.map(({ text }) => text).sort()).toEqual(messages.map(({ text }) => text).sort())
  for (const { message = '', start, end, text } of mentions) expect(message.slice(start, end)).toBe(text)
  const all = (await world.call(workspace, 'GET', '/api/insights/get-all')).body as { evidence: Mention[] }[]
  expect(all[0]?.evidence.map(({ text }) => text).sort()).toEqual(messages.map(({ text }) => text).sort())
})

test('paging shows every mention once, newest first, including those of the same moment', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const said = Array.from({ length: 45 }, (_, n) => ({ message: `fails ${n}`, text: `fails ${n}`, at: at(n % 7) }))
  await world.insight(workspace, 1, said)
  const seen: Mention[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: Page = await page(`?limit=10${cursor === '' ? '' : `&cursor=${cursor}`}`)
    expect(next.mentions.length).toBeLessThanOrEqual(10)
    seen.push(...next.mentions)
    cursor = next.next_cursor
  }
  expect(seen).toHaveLength(45)
  expect(new Set(seen.map(({ text }) => text)).size).toBe(45)
  const dates = seen.map(({ date }) => date)
  expect(dates).toEqual([...dates].sort().reverse())
})

test.each(['x', 'bnVsbA', 'WzEsMl0', 'W251bGwsMSwxXQ', 'WzFlMzAwLDEsMV0', '%00', '%F0%9F%92%A5'])(
  'a malformed cursor is refused: %s',
  async (cursor) => {
    await world.insight(workspace, 1, [{ message: 'fails', text: 'fails' }])
    const answer = await world.call(workspace, 'GET', `/api/insights/1/evidence?cursor=${cursor}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  },
)

test('a deleted insight is gone everywhere until it is restored', async () => {
  await world.insight(workspace, 1, [{ message: 'fails', text: 'fails' }])
  const list = async () =>
    (await world.call(workspace, 'GET', '/api/insights/get-all')).body as { issue_number: number }[]
  expect(await list()).toHaveLength(1)
  expect(await world.call(workspace, 'DELETE', '/api/insights/1')).toMatchObject({
    status: 200,
    body: { issue_number: 1 },
  })
  await expect.poll(() => list()).toEqual([])
  expect((await world.call(workspace, 'GET', '/api/insights/1/evidence')).status).toBe(404)
  expect((await world.call(workspace, 'DELETE', '/api/insights/1')).status).toBe(404)
  expect(await world.call(workspace, 'POST', '/api/insights/1/restore')).toMatchObject({ status: 200 })
  await expect.poll(() => list()).toHaveLength(1)
  expect(await world.call(workspace, 'POST', '/api/insights/1/restore')).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  })
})
