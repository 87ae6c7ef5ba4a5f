import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Config } from '@groundswell/server/platform/config/config.ts'

type Message = { id: string; text: string }
type Sent = {
  feedback?: Message[]
  /** A list: a whole window of messages; with rubrics, for a judge of these responses. */
  messages?: Record<string, string | { text: string }> | Message[]
  responses?: { id: string }[]
  rubrics?: { id: string }[]
  insights?: Record<string, { name: string; messages: Record<string, string> }>
}

/** What the model reads in a message, as it is sent: with the numbers of its sentences. */
type ReadPoints = (text: string) => { kind: string; point: string }[]

/** Whether it takes a message for a stranger in the insight of this name. */
type IsStranger = (text: string, name: string) => boolean

/**
 * A stand-in for an OpenAI-compatible language model, with the configuration `llm` to use it, which answers questions with the beginning of the first message that it was sent,
 * reads messages as `read` does, in reviews finds the strangers that `isStranger` does, answers a window with one response, and judges responses.
 */
export async function startLanguageModel(
  read: ReadPoints = () => [],
  isStranger: IsStranger = () => false,
): Promise<{ llm: Config['llm']; failWith(status: number): void; stop(): void }> {
  let status = 200
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { messages = [], model = '' } = JSON.parse(body || '{}') as {
        messages?: { content: string }[]
        model?: string
      }
      const data = /<<<DATA (\S+)>>>\n([^]*?)\n<<<END \1>>>/.exec(messages.map(({ content }) => content).join('\n'))
      const sent = JSON.parse(data?.[2] ?? '{}') as Sent
      const [first] = sent.feedback ?? []
      const support = [{ id: first?.id, quote: first?.text.slice(0, 60).trim() }]
      const answer = { sentences: first ? [{ text: 'The export of large reports fails.', support }] : [] }
      const { messages: asked = {}, insights = {} } = sent
      const readings = Object.entries(Array.isArray(asked) ? {} : asked).flatMap(([id, one]) => {
        const points = read(typeof one === 'string' ? one : one.text)
        return points.length === 0 ? [id] : points.map(({ kind, point }) => `${id} ${kind}: ${point}`)
      })
      const reviews = Object.entries(insights).map(([id, { name, messages: shown }]) => {
        const strangers = Object.entries(shown).filter(([, said]) => isStranger(said, name))
        const lines = strangers.map(([one, said]) => `${one}: ${said.slice(0, 20).trim()}`)
        return { id, strangers: lines, same: [], name: '', summary: '', said: [] }
      })
      const ofMessages = Array.isArray(asked) ? answerToWindow(asked, sent, model) : { readings }
      const reply = sent.insights ? { reviews } : sent.messages ? ofMessages : answer
      const content = JSON.stringify(reply)
      const message = { role: 'assistant', content }
      const usage = { prompt_tokens: 1_100, completion_tokens: 100, total_tokens: 1_200 }
      const completion = {
        id: '1',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(completion))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    llm: { provider: 'openai-compatible', url, key: 'k', model: 'small', tokensPerDay: 200_000 },
    failWith(next) {
      status = next
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** One response that quotes the first message; or grades, by a model called `strict` lower ones. */
function answerToWindow(messages: readonly Message[], { responses = [], rubrics }: Sent, model: string): object {
  const [first] = messages
  if (!rubrics)
    return {
      responses: [{ issue: 'Exports fail', summary: 'Large ones do.', quotes: [first?.text], tags: ['problem'] }],
    }
  const gradeOf = (rubric: number) => (rubric === 0 ? 'yes' : model === 'strict' ? 'no' : 'partly')
  const grades = responses.flatMap(({ id }) =>
    rubrics.map((rubric, at) => ({
      response: id,
      rubric: rubric.id,
      grade: gradeOf(at),
      reason: 'The messages say so',
    })),
  )
  return { grades }
}
