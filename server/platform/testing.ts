import { afterAll, beforeAll } from 'vitest'

type End = () => PromiseLike<unknown>
/** What ends: a server, a stand-in, a database, a connection. */
type Ending = { stop: End } | { cleanup: End } | { end: End } | { close: End }

function endOf(started: Ending): PromiseLike<unknown> {
  if ('stop' in started) return started.stop()
  if ('cleanup' in started) return started.cleanup()
  return 'end' in started ? started.end() : started.close()
}

/** What `start` starts before the tests of a file and is stopped after them, the last one first. Throws when it is used before that. */
export function duringTests<T extends Ending>(start: () => Promise<T>): T {
  let started: T | undefined
  const running = (): T => {
    if (!started) throw new Error('This is started before the first test, not when the file is loaded')
    return started
  }
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started && endOf(started))
  return new Proxy({} as T, {
    get(_, name) {
      const value: unknown = Reflect.get(running(), name)
      return typeof value === 'function' ? value.bind(running()) : value
    },
    set: (_, name, value) => Reflect.set(running(), name, value),
  })
}
