import type { Context } from '../../connector.ts'
import type { Tracker } from '../../tracker.ts'
import type { TrackerFault, TrackerStandIn } from '../sample.ts'
import { type GivenContext, insightFor, type TestContext, testContext } from '../testing.ts'

/** Nothing answers here: the base address of a connection whose server is the only one that is used. */
export const NOWHERE = 'http://127.0.0.1:9'

type StandIn = {
  url: string
  signIns: { end(): void }
  faults: { arm(kind: TrackerFault): void }
  calls: readonly { method: string; path: string }[]
  stop(): Promise<void>
}

/** What differs between trackers: how one is connected by a token, with its choices made. */
type Place<S extends StandIn> = {
  settings: (standIn: S) => Record<string, unknown>
  secrets: (standIn: S) => Record<string, string>
  /** Default: the address of the stand-in. */
  baseUrl?: (standIn: S) => string
}

/** What people do at a provider, and what it holds. */
type Changes = Omit<
  TrackerStandIn,
  'baseUrl' | 'settings' | 'secrets' | 'requests' | 'fault' | typeof Symbol.asyncDispose
>

/** A tracker with its stand-in: contexts for it, insights to push to it, and what the conformance suite needs. */
export function trackerWorld<S extends StandIn>(
  tracker: Tracker,
  { settings, secrets, baseUrl = ({ url }) => url }: Place<S>,
) {
  return {
    /** A context that is connected by a token, with the choices made. */
    contextFor: (standIn: S, given: GivenContext = {}): TestContext =>
      testContext({
        baseUrl: baseUrl(standIn),
        secrets: secrets(standIn),
        ...given,
        settings: { ...settings(standIn), ...given.settings },
      }),
    /** A stand-in with a context, and an insight to push to it. */
    insightIn: <R extends S, C extends Context>(standIn: R, context: C) => ({
      ...standIn,
      context,
      ...insightFor(tracker, context),
    }),
    /** For the conformance suite. */
    sample: (open: () => Promise<S>, changes: (standIn: S) => Changes) => async (): Promise<TrackerStandIn> => {
      const standIn = await open()
      return {
        baseUrl: baseUrl(standIn),
        settings: settings(standIn),
        secrets: secrets(standIn),
        requests: () => standIn.calls,
        fault: (kind) => (kind === 'revoked' ? standIn.signIns.end() : standIn.faults.arm(kind)),
        ...changes(standIn),
        [Symbol.asyncDispose]: () => standIn.stop(),
      }
    },
  }
}
