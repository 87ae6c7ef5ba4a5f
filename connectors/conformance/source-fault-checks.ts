import { expect } from 'vitest'
import { ConnectorFailure, type FailureKind } from '../kit/errors.ts'
import { createPageStore } from '../kit/page-store.ts'
import type { SourceFault } from '../kit/sample.ts'
import { failureFrom } from '../kit/testing.ts'
import { type Check, limitFor } from './check.ts'
import { contextOf, run, type SourceSubject } from './source-run.ts'

const kinds: [SourceFault, FailureKind][] = [
  ['429', 'rate-limited'],
  ['429-bare', 'rate-limited'],
  ['500', 'unavailable'],
  ['reset', 'unavailable'],
  ['cut', 'unavailable'],
  ['silence', 'unavailable'],
  ['malformed', 'unavailable'],
  ['html', 'unavailable'],
  ['truncated', 'unavailable'],
  ['wrong-types', 'unavailable'],
  ['missing-fields', 'unavailable'],
  ['revoked', 'auth'],
]
const mended = [...kinds.map(([fault]) => fault).filter((fault) => fault !== 'revoked'), 'slow', 'empty-page'] as const

const reportsFault = (fault: SourceFault, kind: FailureKind): Check<SourceSubject> => ({
  name: `and reports ${fault} as ${kind}, without a secret or customer text`,
  run: async ({ connector, open }) => {
    await using standIn = await open()
    const { context, log, hidden } = await contextOf(connector, standIn, limitFor(fault))
    standIn.fault(fault)
    const error = await failureFrom(run(connector, context, createPageStore()))
    expect(error).toBeInstanceOf(ConnectorFailure)
    const { message, stack, ledger, retryAfter, ...failure } = error as ConnectorFailure
    expect(failure.kind).toBe(kind)
    expect(retryAfter !== undefined).toBe(kind === 'rate-limited')
    const output = [message, stack, JSON.stringify(ledger), ...log.lines].join()
    for (const word of hidden()) expect(output).not.toContain(word)
  },
})

const losesNothing = (fault: SourceFault): Check<SourceSubject> => ({
  name: `and loses nothing when ${fault} happens in the middle`,
  run: async ({ connector, open }) => {
    await using standIn = await open()
    const { context } = await contextOf(connector, standIn)
    const impatient = await contextOf(connector, standIn, limitFor(fault))
    const store = createPageStore()
    await run(connector, context, store, 3)
    standIn.fault(fault)
    await run(connector, impatient.context, store).catch(() => 'said above')
    await run(connector, context, store)
    expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
    expect(Math.max(...store.times.values())).toBe(1)
  },
})

/** What a connector that pulls does when its provider fails. */
export const sourceFaultChecks: readonly Check<SourceSubject>[] = [
  ...kinds.map(([fault, kind]) => reportsFault(fault, kind)),
  ...mended.map(losesNothing),
  {
    name: 'and waits as long as the provider asks',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      standIn.fault('429')
      expect(await failureFrom(run(connector, context, createPageStore()))).toMatchObject({ retryAfter: 7 })
    },
  },
  {
    name: 'and reports credentials that expire in the middle, keeping stored items',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      await run(connector, context, store, 3)
      standIn.fault('revoked')
      const ended = { kind: 'auth', message: expect.stringMatching(/connect again/i) as string }
      expect(await failureFrom(run(connector, context, store))).toMatchObject(ended)
      const kept = store.items.size
      expect(kept).toBeGreaterThan(0)
      expect(await failureFrom(run(connector, context, store))).toMatchObject(ended)
      expect(store.items.size).toBe(kept)
    },
  },
]
