import type { ServerResponse } from 'node:http'
import { ScriptedServer } from '../../platform/http/scripted.ts'

type Shown = { messages: { id: string; text: string }[] }
type Asked = {
  model: string
  system: string
  /** `responses` and `rubrics`: what a judge is asked about. */
  data: Shown & { responses?: { id: string }[]; rubrics?: { id: string }[] }
  temperature?: number
  reasoning_effort?: string
  verbosity?: string
}

/** An OpenAI-compatible language model; what it was asked, with the data between the marks. */
export class AskedModel extends ScriptedServer<Asked> {
  static start(): Promise<AskedModel> {
    return new AskedModel(
      ({ data }, response) => respond(response, answerTo(data)),
      (_request, body) => {
        const { messages: sent, ...settings } = JSON.parse(body)
        const [system, user] = ['system', 'user'].map((role) =>
          JSON.stringify(sent.find((one: { role: string }) => one.role === role)),
        )
        const content = JSON.parse(user ?? '{}').content
        const prompt = typeof content === 'string' ? content : content[0].text
        const block = /<<<DATA (\S+)>>>\n([^]*?)\n<<<END \1>>>/.exec(prompt)
        return { ...settings, system: system ?? '', data: JSON.parse(block?.[2] ?? '{}') }
      },
    ).listen()
  }
}

/** A reply of the model. `tokens`: that it reports as used. */
export function respond(response: ServerResponse, content: unknown, tokens = 500): void {
  const message = { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) }
  const usage = { prompt_tokens: tokens - 50, completion_tokens: 50, total_tokens: tokens }
  const body = { id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An answer with one response, which quotes the first message. */
export const answerTo = ({ messages: shown }: Shown) => ({
  responses: [{ issue: 'Export stops', summary: 'It stops.', quotes: [shown[0]?.text] }],
})

/** Grades by a judge: `grade` of each response, by its place, and each rubric. */
export const gradesOf = (
  { responses = [], rubrics = [] }: Asked['data'],
  grade: (response: number, rubric: number) => 'yes' | 'partly' | 'no',
) => ({
  grades: responses.flatMap(({ id }, response) =>
    rubrics.map((rubric, at) => ({
      response: id,
      rubric: rubric.id,
      grade: grade(response, at),
      reason: 'It says so',
    })),
  ),
})
