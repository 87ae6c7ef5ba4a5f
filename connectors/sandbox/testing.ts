import { expect, it } from 'vitest'
import type { SourceFault } from '../kit/sample.ts'

/** The status with which each fault of every source is answered, as far as there is an answer. */
const STATUSES: readonly (readonly [fault: SourceFault, status: number])[] = [
  ['429', 429],
  ['429-bare', 429],
  ['500', 500],
  ['malformed', 200],
  ['html', 200],
  ['truncated', 200],
  ['missing-fields', 200],
  ['wrong-types', 200],
  ['empty-page', 200],
  ['slow', 200],
  ['revoked', 401],
]

type Answer = { status: number; text: string }

/**
 * Tests that each fault of a source's stand-in happens once, to calls for items only. `own`: further faults, and how they are answered. `open`: a stand-in
 * with a call for items, which has some, and with another call.
 */
export function faultsHappenOnce<Fault extends string>(
  own: Readonly<Partial<Record<Fault, number>>>,
  open: () => Promise<
    AsyncDisposable & {
      fault(kind: Fault | SourceFault): void
      items(): Promise<Answer>
      other(): Promise<Answer>
    }
  >,
): void {
  const all = [...STATUSES, ...(Object.entries(own) as [Fault, number][])]
  it.each(all)('the fault %s happens once, to calls for items only', async (kind, status) => {
    await using standIn = await open()
    const good = (await standIn.items()).text
    standIn.fault(kind)
    expect((await standIn.other()).status).toBe(200)
    const bad = await standIn.items()
    expect(bad.status).toBe(status)
    expect(bad.text === good).toBe(kind === 'slow')
    expect((await standIn.items()).status).toBe(kind === 'revoked' ? 401 : 200)
  })
}
