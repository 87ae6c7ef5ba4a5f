import type { SourceSample } from '../kit/sample.ts'
import { type GivenContext, testContext } from '../kit/testing.ts'
import { type Helpdesk, startHelpdesk } from '../sandbox/helpdesk/helpdesk.ts'

const HOUR_MS = 3_600_000

/** A context as the core makes it, signed in with the API token unless `given` says otherwise. */
export const contextFor = (helpdesk: Helpdesk, given: GivenContext = {}) =>
  testContext({ baseUrl: helpdesk.url, secrets: { token: helpdesk.signIns.token }, ...given })

/** For the conformance suite: 60 messages in 20 pages, every fifth one by an agent. */
export const source: SourceSample = async () => {
  const helpdesk = await startHelpdesk({ pageSize: 3 })
  const { messages } = helpdesk
  for (let index = 0; index < 60; index += 1) {
    const kind = index % 5 === 4 ? 'agent' : 'customer'
    const author = { name: `Person ${index}`, kind } as const
    const at = Date.now() - (60 - index) * HOUR_MS
    messages.add({ conversation: `c${index % 20}`, body: `customer words ${index}`, author, at })
  }
  return {
    baseUrl: helpdesk.url,
    form: { token: helpdesk.signIns.token },
    ids: () => messages.all().flatMap(({ id, deleted }) => (deleted ? [] : [id])),
    words: ['customer words', 'Person'],
    fault: (kind) => helpdesk.fault(kind),
    add: () => messages.add({ conversation: 'c-new', body: 'customer words, one more' }).id,
    remove: (id) => messages.remove(id),
    edit: (id) => {
      messages.edit(id, 'customer words, edited')
      return 'customer words, edited'
    },
    agents: () => messages.all().flatMap(({ id, author }) => (author.kind === 'agent' ? [id] : [])),
    event: (message) => ({
      request: helpdesk.event({ type: 'message.changed', message }, new Date()),
      secrets: helpdesk.app,
    }),
    [Symbol.asyncDispose]: () => helpdesk[Symbol.asyncDispose](),
  }
}
