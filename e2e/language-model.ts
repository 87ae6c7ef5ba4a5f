import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Sent = { feedback?: { id: string; text: string }[]; messages?: { id: string; text: string }[] }

/** What the model reads in a message. */
type ReadPoints = (text: string) => { kind: string; point: string; quote: string }[]

/**
 * A stand-in for an OpenAI-compatible language model, which answers questions with the beginning of the first message that it was sent, and
 * reads messages as `read` does.
 */
export async function startLanguageModel(
  read: ReadPoints = () => [],
): Promise<{ url: string; failWith(status: number): void; stop(): void }> {
  let status = 200
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { messages = [] } = JSON.parse(body || '{}') as { messages?: { content: string }[] }
      const data = /<<<DATA (\S+)>>>\n([^]*?)\n<<<END \1>>>/.exec(messages.map(({ content }) => content).join('\n'))
      const sent = JSON.parse(data?.[2] ?? '{}') as Sent
      const [first] = sent.feedback ?? []
      const support = [{ id: first?.id, quote: first?.text.slice(0, 60).trim() }]
      const answer = { sentences: first ? [{ text: 'The export of large reports fails.', support }] : [] }
      const readings = sent.messages?.map((one) => ({ id: one.id, points: read(one.text) }))
      const content = JSON.stringify(readings ? { readings } : answer)
      const message = { role: 'assistant', content }
      const usage = { prompt_tokens: 1_100, completion_tokens: 100, total_tokens: 1_200 }
      const reply = { id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    failWith(next) {
      status = next
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
