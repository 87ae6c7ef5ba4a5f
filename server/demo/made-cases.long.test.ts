import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadCompany, loadIssues } from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { groundswellProcess as groundswell } from '../cli/testing.ts'
import { writeCases } from '../features/evaluation/index.ts'
import { ScriptedServer } from '../platform/http/scripted.ts'
import { makeCases } from './made-cases.ts'

const CASES = path.join(import.meta.dirname, 'cases.jsonl')
const BASELINE = path.join(import.meta.dirname, 'cases-baseline.json')
const PROMPT = 'Name each problem or request that several messages have in common.'
const DROPS_NOT = `${PROMPT} Leave out the words no, not, never and cannot.`

/** Gets the instructions and the messages of a window, and replies as a chat completion. */
class NamingModel extends ScriptedServer<{ instructions: string; messages: { text: string }[] }> {
  static start(): Promise<NamingModel> {
    return new NamingModel(
      ({ instructions, messages }, response) => {
        const content = JSON.stringify({ responses: answer(instructions, messages) })
        const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ id: '1', created: 1, model: 'm', choices }))
      },
      (_request, body) => {
        const { messages } = JSON.parse(body) as { messages: { content: string | { text: string }[] }[] }
        const all = messages
          .flatMap(({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text)))
          .join('\n')
        const [, , data = '{}'] = /<<<DATA (\S+)>>>\n([^]*?)\n<<<END \1>>>/.exec(all) ?? []
        return { instructions: all.replace(data, ''), ...(JSON.parse(data) as { messages: { text: string }[] }) }
      },
    ).listen()
  }
}

const lineOf = (said: string) => said.replace(/\s+/g, ' ').trim()
const labels = new Map(loadCompany().map(({ text: said, label }) => [lineOf(said), label]))
const titles = new Map(loadIssues().map(({ label, title }) => [label, title]))

/** As a model that does as it is told: it names each subject as a person would, without the words that its instructions forbid. */
function answer(instructions: string, messages: readonly { text: string }[]) {
  const groups = Map.groupBy(messages, ({ text: said }) => labels.get(lineOf(said)) ?? null)
  return [...groups].flatMap(([label, own]) => {
    const title = label === null ? undefined : titles.get(label)
    if (title === undefined) return []
    const issue = instructions.includes('Leave out the words')
      ? title.replace(/\b(?:no|not|never|cannot) /g, '')
      : title
    return [{ issue, summary: issue, quotes: own.map(({ text: said }) => said) }]
  })
}

let folder: string
let model: NamingModel

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-cases-'))
  for (const [file, system_prompt] of [
    ['good.json', PROMPT],
    ['drops-not.json', DROPS_NOT],
  ] as const) {
    const generator = {
      method: 'single-prompt',
      llm_model_name: 'm',
      system_prompt,
      response_class: 'IssueWithQuotes',
    }
    await writeFile(path.join(folder, file), JSON.stringify(generator))
  }
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  model = await NamingModel.start()
})
afterEach(() => model.stop())

const run = (...args: string[]) =>
  groundswell(['eval', 'run', '--cases', CASES, ...args], {
    folder,
    env: { LLM_URL: model.url, LLM_MODEL: 'm', LLM_KEY: 'right' },
  })

test('the engine is not significantly worse on the cases of this repository than when the baseline was pinned', async () => {
  const { code, out } = await run('--baseline', BASELINE)
  expect(out).toContain('no significant regression')
  expect(code).toBe(0)
})

test('the cases are made from the company’s feedback; node server/demo/make-evaluations.ts makes them again', async () => {
  expect(await readFile(CASES, 'utf8')).toBe(writeCases(makeCases()))
})

test('a prompt that drops “not” is a significant regression', async () => {
  const good = await run('--generator', 'good.json', '--pin', 'pinned.json')
  expect(good.code).toBe(0)
  const again = await run('--generator', 'good.json', '--baseline', 'pinned.json')
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('no significant regression')])
  const worse = await run('--generator', 'drops-not.json', '--baseline', 'pinned.json')
  expect(worse.out).toContain('drops a negation')
  expect(worse.out).toContain(': a significant regression.')
  expect(worse.code).toBe(1)
})
