import type { Connector, Context, Page } from '../../connector.ts'
import { RateLimited } from '../errors.ts'
import type { SourceFault, SourceSample, SourceStandIn, SourceVolume } from '../sample.ts'
import { connected, drainOf, type GivenContext, type TestContext, testContext } from '../testing.ts'

const HOUR_MS = 3_600_000

type StandIn = {
  url: string
  fault(kind: SourceFault): void
  calls(): readonly unknown[]
  stop(): Promise<void>
}
type Pull<State> = (context: Context, cursor: unknown) => AsyncGenerator<Page<State>>

/** One message of a made-up thread. */
type Turn = { author: string; isCustomer: boolean; text: string }

/** The messages of a made-up thread: of a customer and a teammate in turn. `name` is in each of them. */
export const turns = (name: string, count: number): Turn[] =>
  Array.from({ length: count }, (_, index) => {
    const isCustomer = index % 2 === 0
    return { author: isCustomer ? `Person ${name}` : 'Agent Ash', isCustomer, text: `customer words ${name}-${index}` }
  })

/** Customer text of `turns`, and of threads with their `name` in the subject. */
const WORDS = ['customer words', 'Person', 'Subject of']

/** So many threads, made by `make`, called `c-0`, `c-1` …; `messages`: in each of them. */
export const manyOf =
  <Post>(make: (name: string, messages: number) => Post) =>
  (count: number, messages: number | ((index: number) => number) = 1): Post[] =>
    Array.from({ length: count }, (_, index) =>
      make(`c-${index}`, typeof messages === 'number' ? messages : messages(index)),
    )

/** Starts threads an hour apart, the last one an hour ago. Returns what `open` does: their ids. */
export function fill<Post, Id>(
  standIn: { open(post: Post): Id },
  posts: readonly NoInfer<Post>[],
  now = Date.now(),
): Id[] {
  return posts.map((post, index) => standIn.open({ at: now - (posts.length - index) * HOUR_MS, ...post }))
}

/** Pulls until everything is read, waiting as long as the provider asks. `waits`: for how many seconds, each time. */
export async function readPatiently<State>(
  pull: Pull<State>,
  context: Context,
  wait: (seconds: number) => void,
): Promise<{ seen: string[]; waits: number[] }> {
  const seen: string[] = []
  const waits: number[] = []
  for (let cursor: State | null = null; ; ) {
    try {
      for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) {
        seen.push(...page.items.map(({ externalId }) => externalId))
        cursor = page.cursor
      }
      return { seen, waits }
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error
      const seconds = error.retryAfter ?? Number.NaN
      waits.push(seconds)
      wait(seconds)
    }
  }
}

/** Pulls until everything is read, killed `kills` times after the second page of a process. Returns the external ids. */
export async function readThroughKills<State>(pull: Pull<State>, context: Context, kills: number): Promise<string[]> {
  const seen: string[] = []
  let cursor: State | null = null
  for (let left = kills; ; left -= 1) {
    let pages = 0
    for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) {
      seen.push(...page.items.map(({ externalId }) => externalId))
      cursor = page.cursor
      pages += 1
      if (pages === 2 && left > 0) break
    }
    if (left > 0 && pages < 2) throw new Error(`Everything was read before the last ${left} kills`)
    if (left === 0) return seen
  }
}

/** What differs between sources: how one is connected with values that a person enters, and how it is read. */
type Source<S extends StandIn, State> = {
  settings?: (standIn: S) => Record<string, unknown>
  secrets: (standIn: S) => Record<string, string>
  check: NonNullable<Connector['check']>
  pull: Pull<State>
}

/** A source with its stand-in: contexts for it, rounds of pulls, and what the suites need. */
export function sourceWorld<S extends StandIn, State>({
  settings = () => ({}),
  secrets,
  check,
  pull,
}: Source<S, State>) {
  /** A context for a stand-in, not signed in yet. */
  const contextFor = (standIn: S, given: GivenContext = {}): TestContext =>
    testContext({
      baseUrl: standIn.url,
      secrets: secrets(standIn),
      ...given,
      settings: { ...settings(standIn), ...given.settings },
    })
  const started = (standIn: S) => ({
    baseUrl: standIn.url,
    form: { ...settings(standIn), ...secrets(standIn) },
    [Symbol.asyncDispose]: () => standIn.stop(),
  })
  return {
    contextFor,
    /** A context that is connected with those values as the core does. `settings` that are given are chosen afterwards. */
    signedIn: (standIn: S, given: GivenContext = {}): Promise<TestContext> =>
      connected(contextFor(standIn, given), check, given.settings),
    drain: drainOf(pull),
    /** For the conformance suite. */
    sample:
      (
        open: () => Promise<S>,
        about: (standIn: S) => Pick<SourceStandIn, 'ids' | 'add'> & Partial<SourceStandIn>,
      ): SourceSample =>
      async () => {
        const standIn = await open()
        const fault = (kind: SourceFault) => standIn.fault(kind)
        return { ...started(standIn), words: WORDS, fault, ...about(standIn) }
      },
    /** For measurements. `least`: the fewest requests that read so much; `why`: by which limits of the provider. */
    volume:
      (
        open: (threads: number, messages: number) => Promise<S>,
        { least, why }: { least: (threads: number, messages: number) => number; why: string },
      ): SourceVolume =>
      async (threads, messages) => {
        const standIn = await open(threads, messages)
        const calls = () => standIn.calls().length
        return { ...started(standIn), least: least(threads, messages), why, calls }
      },
  }
}

/** Gives the posts times for measurements: a minute apart, all of them more than an hour ago. */
export const minutesApart = <Post>(posts: readonly Post[], now = Date.now()): (Post & { at: number })[] =>
  posts.map((post, index) => ({ ...post, at: now - HOUR_MS - (posts.length - index) * 60_000 }))
