import { afterEach, beforeEach, expect, test } from 'vitest'
import { ScriptedServer } from '../../../platform/http/scripted.ts'
import { CannotAnswer, type Surroundings } from '../generators/answerer.ts'
import { Generator } from '../generators/generator.ts'
import { BudgetReached } from '../generators/token-meter.ts'
import { Case } from './case.ts'
import { runCases } from './run-cases.ts'

type Shown = { messages: { id: string; text: string }[]; others?: unknown }

/** An OpenAI-compatible language model that replies what `reply` makes of the data between the marks; text is sent as it is. */
class ReplyingModel extends ScriptedServer<Shown> {
  reply: (shown: Shown) => unknown = () => ''

  static async start(): Promise<ReplyingModel> {
    const made = new ReplyingModel(
      () => undefined,
      (_request, body) =>
        JSON.parse(/<<<DATA (\S+)>>>\\n(.*?)\\n<<<END \1>>>/s.exec(body)?.[2]?.replaceAll('\\"', '"') ?? '{}'),
    )
    made.script = (shown, response) => {
      const reply = made.reply(shown)
      const content = typeof reply === 'string' ? reply : JSON.stringify(reply)
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      const usage = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: '1', created: 1, model: 'm', choices, usage }))
    }
    return made.listen()
  }
}

const point = Case.parse({
  id: '1',
  kind: 'point',
  messages: [{ id: 'a', text: 'The export of our yearly report stops half way', at: 0 }],
  about: ['a'],
  name: 'Export of large reports stops',
})
const merge = Case.parse({
  id: '2',
  kind: 'merge',
  messages: ['a', 'b'].map((id) => ({ id, text: `The export stops, ${id}`, at: 0 })),
  about: ['a'],
  with: ['b'],
})

const reads = Generator.parse({ llm_model_name: 'm', method: 'read-group-review', response_class: 'IssueName' })
const prompted = Generator.parse({
  llm_model_name: 'm',
  method: 'single-prompt',
  system_prompt: 'Name the issues.',
  response_class: 'IssueWithQuotes',
})

let model: ReplyingModel
let surroundings: Surroundings

beforeEach(async () => {
  model = await ReplyingModel.start()
  surroundings = {
    llm: { provider: 'openai-compatible', url: model.url, key: 'right', model: 'm', tokensPerDay: 1 },
    encodeAll: async () => null,
    encode: async () => null,
    signal: new AbortController().signal,
  }
})
afterEach(() => model.stop())

const run = (cases: Case[], generator: Generator, budget: number | null = null) =>
  runCases(cases, generator, { surroundings, budget })
const passed = async (cases: Case[], generator: Generator) =>
  (await run(cases, generator)).outcomes.map((one) => one.passed)

test('what a person read in a message is graded by what the model reads in it', async () => {
  const reading =
    (said: string) =>
    ({ messages }: Shown) => ({
      readings: Object.entries(messages).map(([id, text]) =>
        JSON.stringify(text).includes('yearly report') ? `${id} problem: ${said}` : id,
      ),
    })
  model.reply = reading('Export of reports stops')
  expect(await passed([point], reads)).toEqual([true])
  model.reply = reading('Export of reports never stops')
  expect(await passed([point], reads)).toEqual([false])
  model.reply = (shown) => ({ responses: [{ issue: 'x', summary: 'x', quotes: [shown.messages[0]?.text] }] })
  expect(await passed([point], prompted)).toEqual([null])
})

test('a reply that cannot be used is a failure of this case, and not of the run', async () => {
  model.reply = ({ messages }) =>
    messages.length === 1
      ? 'no JSON'
      : { responses: [{ issue: 'x', summary: 'x', quotes: messages.map(({ text }) => text) }] }
  const { outcomes, tokens } = await run([{ ...point, kind: 'rename' }, merge], prompted)
  expect(outcomes).toMatchObject([
    { passed: false, reason: 'The reply is not in the requested form, twice.' },
    { passed: true },
  ])
  expect(tokens).toBe(300)
})

test('a budget, and a model that is not set up, end the run', async () => {
  await expect(run([merge], prompted, 100)).rejects.toThrow(BudgetReached)
  surroundings.llm = undefined
  await expect(run([merge], prompted)).rejects.toThrow(CannotAnswer)
  expect(model.heard).toEqual([])
})
