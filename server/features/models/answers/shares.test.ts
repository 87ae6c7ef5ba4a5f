import type { Answer } from '@groundswell/contract/feedback/feedback-search.ts'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHttp } from '../../../platform/http/create.ts'
import { EXPORTS, respond, ScriptedModel, withWorld, world } from '../testing.ts'
import { answerRoutes } from './routes.ts'

/** What an answer uses: as of 34 of them, in the default budget. */
const TOKENS = 3_000
const PER_DAY = 200_000
/** What questions may use of it. */
const LIMIT = PER_DAY / 2

let model: ScriptedModel
let app: FastifyInstance

withWorld()
beforeEach(async () => {
  await world.reset()
  world.now = new Date('2026-03-02T10:00:00Z')
  model = await ScriptedModel.start()
  model.script = (heard, response) => {
    const [first] = (heard.data as unknown as { feedback: { id: string; text: string }[] }).feedback
    const support = [{ id: first?.id, quote: first?.text.slice(0, 30).trim() }]
    respond(response, { sentences: [{ text: 'Exports stop.', support }] }, TOKENS)
  }
  const services = world.otherProcess()
  services.config = { ...services.config, llm: world.settings(model, { tokensPerDay: PER_DAY }) }
  // A token is a person and their workspace.
  app = await createHttp(services, {
    handlers: answerRoutes(services, undefined),
    authenticate: async (token) => {
      const [accountId = '', workspaceId = ''] = token.split('@')
      const session = { id: accountId, aal: 'aal1' as const, isFirst: false, needsSecondFactor: false }
      return { accountId, workspaceId, role: 'viewer', isAdmin: false, name: '', email: '', session }
    },
  })
})
afterEach(async () => {
  await app.close()
  await model.stop()
})

async function workspaceWithFeedback(): Promise<string> {
  const id = await world.workspace()
  await world.insight(id, 1, EXPORTS)
  return id
}

async function ask(token: string): Promise<Answer> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/feedback/ask',
    headers: { authorization: `Bearer ${token}` },
    payload: { question: 'What stops when customers export a large report?' },
  })
  expect(answer.statusCode).toBe(200)
  return answer.json<Answer>()
}

/** Asks until a question is refused, `most` times at most. Returns how many were answered. */
async function answered(token: string, most = 34): Promise<number> {
  for (let number = 0; number < most; number += 1) {
    const { outcome, problem } = await ask(token)
    if (outcome === 'answered') continue
    expect(problem).toMatch(/^(Your share of t|T)oday’s token budget/)
    return number
  }
  return most
}

test('a viewer who asks 34 times in a row uses half of what is left; a colleague and another workspace are still answered', async () => {
  const [one, two] = [await workspaceWithFeedback(), await workspaceWithFeedback()]
  const count = await answered(`ann@${one}`)
  expect(count * TOKENS).toBeLessThanOrEqual(LIMIT / 2)
  expect(count).toBeGreaterThan(10)
  expect((await ask(`ann@${one}`)).problem).toBe(
    'Your share of today’s token budget for questions is used up for now: the rest is for others. Ask again in 15 minutes.',
  )
  expect(await answered(`bea@${one}`, 5)).toBe(5)
  expect(await answered(`cem@${two}`, 5)).toBe(5)
})

test('who is alone can use what nobody else does, and no more than the budget', async () => {
  const one = await workspaceWithFeedback()
  let total = 0
  while (world.now < new Date('2026-03-02T23:00:00Z')) {
    total += await answered(`ann@${one}`)
    world.later(15)
  }
  // Every question except those whose largest possible use would exceed it.
  expect(total * TOKENS).toBeGreaterThan(LIMIT * 0.9)
  expect(total * TOKENS).toBeLessThanOrEqual(LIMIT)
  world.now = new Date('2026-03-03T00:00:00Z')
  expect(await answered(`ann@${one}`, 3)).toBe(3)
})

test('while others wait, nobody has more than half of what they leave; an hour after they asked, the rest is available', async () => {
  const one = await workspaceWithFeedback()
  expect(await answered(`bea@${one}`, 1)).toBe(1)
  let count = await answered(`ann@${one}`)
  for (const _ of [15, 30, 45]) {
    world.later(15)
    count += await answered(`ann@${one}`)
  }
  expect(count * TOKENS).toBeLessThanOrEqual((LIMIT - TOKENS) / 2)
  world.later(16)
  expect(await answered(`ann@${one}`, 1)).toBe(1)
  // Bea has had less, so she is not held up by those who have had more.
  expect(await answered(`bea@${one}`, 4)).toBe(4)
})

test('while another workspace waits, all people of one have half of what it leaves', async () => {
  const [one, two] = [await workspaceWithFeedback(), await workspaceWithFeedback()]
  expect(await answered(`cem@${two}`, 1)).toBe(1)
  let count = 0
  for (const _ of [0, 15, 30]) {
    for (const person of ['ann', 'bea', 'dan', 'eve']) count += await answered(`${person}@${one}`)
    world.later(15)
  }
  expect(count * TOKENS).toBeLessThanOrEqual((LIMIT - TOKENS) / 2)
  expect(count * TOKENS).toBeGreaterThan((LIMIT - TOKENS) / 4)
  expect(await answered(`cem@${two}`, 8)).toBe(8)
})
