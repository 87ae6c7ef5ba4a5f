import { expect } from 'vitest'
import type { ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { createPageStore } from '../kit/page-store.ts'
import type { Check } from './check.ts'
import { contextOf, run, type SourceSubject } from './source-run.ts'

const SKIPPED = 'it receives no events, or its stand-in sends none'

/** What a connector that pulls does with the events of its provider. */
export const eventChecks: readonly Check<SourceSubject>[] = [
  {
    name: 'and accepts an event only as it was signed',
    run: async ({ connector: { receive }, open }) => {
      await using standIn = await open()
      const [id = ''] = standIn.ids()
      const sent = standIn.event?.(id)
      if (!receive || !sent) return SKIPPED
      const { request, secrets } = sent
      const now = new Date()
      expect(receive(secrets, request, now).events.length).toBeGreaterThan(0)
      const others = Object.fromEntries(Object.keys(secrets).map((name) => [name, 'the-secret-of-another']))
      const forged: [Record<string, string>, ProviderRequest][] = [
        [others, request],
        [{}, request],
        [secrets, { ...request, headers: {} }],
        [secrets, { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }],
      ]
      for (const [held, altered] of forged) expect(() => receive(held, altered, now)).toThrow(Rejected)
    },
  },
  {
    name: 'and makes of an event the item that a sync makes',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      await run(connector, context, store)
      const [id = ''] = standIn.ids()
      const sent = standIn.event?.(id)
      if (!connector.receive || !connector.handleEvent || !sent) return SKIPPED
      const { events } = connector.receive(sent.secrets, sent.request, new Date())
      expect(events).toHaveLength(1)
      const payload = JSON.parse(JSON.stringify(events[0]?.payload)) as Record<string, unknown>
      const { items } = await connector.handleEvent(context, payload)
      expect(items.map(({ externalId }) => externalId)).toContain(id)
      for (const item of items) expect(item).toEqual(store.items.get(item.externalId))
    },
  },
]
