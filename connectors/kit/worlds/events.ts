import type { Context, EventOutcome, ProviderEvents, ProviderRequest } from '../../connector.ts'
import { outcomesOf, type Receiver, startEventReceiver } from '../testing.ts'

type Secrets = Record<string, string>
type State = Record<string, unknown>
type Ensured = { state: State; secrets?: Secrets; expiresAt?: Date | null }
type Ensure<S extends Ensured> = {
  ensure(context: Context, request: { url: string; secret: string; previous: State | null }): Promise<S>
}
type Parse = (secrets: Secrets, request: ProviderRequest, now: Date) => ProviderEvents
type StandIn = { stop(): Promise<void> }

/**
 * A stand-in whose events arrive at a real address and are parsed and handled as by the core. `secrets`: what `receive` gets. `subscribe`
 * makes it send them to the address. `settled` resolves when all of them have arrived.
 */
export async function live<S extends StandIn>(
  standIn: S,
  world: {
    context: Context
    receive: (request: ProviderRequest) => ProviderEvents
    subscribe: (url: string, context: Context) => unknown
    settled: () => Promise<unknown>
    handleEvent: (context: Context, payload: Record<string, unknown>) => Promise<EventOutcome>
  },
) {
  const { context, receive, subscribe, settled, handleEvent } = world
  const receiver = await startEventReceiver(receive)
  await subscribe(receiver.url, context)
  return {
    standIn,
    context,
    receiver,
    /** The outcomes of all events since the last call, handled in this context. */
    outcomes: async (handling: Context = context): Promise<EventOutcome[]> => {
      await settled()
      return await outcomesOf(receiver, handleEvent, handling)
    },
    [Symbol.asyncDispose]: () => stopBoth(standIn, receiver),
  }
}

/**
 * A stand-in with a context and a subscribed address, at which requests are parsed as by the core. `secret` is the core's. `ensure` repeats the
 * subscription, by default as if its state were lost.
 */
export async function subscribed<R extends StandIn & { context: Context }, E extends Ensured>(
  run: R,
  { subscriptions, secret, receive }: { subscriptions: Ensure<E>; secret: string; receive: Parse },
) {
  let known: Secrets = {}
  const receiver = await startEventReceiver((request) => receive(known, request, new Date()))
  const ensure = async (previous: State | null = null, url = receiver.url): Promise<E> => {
    const ensured = await subscriptions.ensure(run.context, { url, secret, previous })
    known = ensured.secrets ?? known
    return ensured
  }
  const made = await ensure()
  return {
    ...run,
    address: receiver.url,
    received: receiver.received,
    refused: receiver.refused,
    made,
    state: made.state,
    ensure,
    [Symbol.asyncDispose]: () => stopBoth(run, receiver),
  }
}

/** Ends a stand-in and the address of its events. */
export async function stopBoth(standIn: StandIn, receiver: Receiver): Promise<void> {
  await standIn.stop()
  await receiver[Symbol.asyncDispose]()
}
