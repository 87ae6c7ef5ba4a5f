import path from 'node:path'
import type { Durations } from './durations.ts'
import { type Dependents, distancesFrom } from './import-graph.ts'

/** Which of the tests that a change can break are run, nearest first, and how many are left to a whole run. */
export type Choice = { chosen: readonly string[]; left: number; seconds: number }

type Budget = {
  /** What the workers may take together; the first file is run whatever it takes. */
  seconds: number
  durations: Durations
  /** For a file that was never run here. */
  unknown: number
}

/** The journey for a change that no browser test has the name of. */
export const MAIN_JOURNEY = 'e2e/main-job.test.ts'

/**
 * The tests outside the browser that depend on `changed`, by their distance in the graph of imports, until the budget is used up. Changed
 * tests are all run. Tests of the changed file's own feature count as near, whichever way they reach it.
 */
export function nearestTests(
  changed: readonly string[],
  tests: readonly string[],
  dependents: Dependents,
  budget: Budget,
): Choice {
  const distances = distancesFrom(changed, dependents)
  const nouns = new Set(changed.map(nounOf).filter((noun) => noun !== ''))
  const namesakes = new Set(changed.map((file) => file.replace(/(\.tsx?)$/, '.test$1')))
  const near = tests.flatMap((file) => {
    const distance = distances.get(file)
    if (distance === undefined) return []
    const place = namesakes.has(file)
      ? Math.min(distance, 0.5)
      : distance <= 1 || !nouns.has(nounOf(file))
        ? distance
        : 1 + distance / 100
    return [{ file, distance: place, shared: sharedFolders(file, changed), seconds: secondsOf(file, budget) }]
  })
  const order = near.toSorted(
    (a, b) => a.distance - b.distance || b.shared - a.shared || a.seconds - b.seconds || (a.file < b.file ? -1 : 1),
  )
  const edited = order.filter(({ distance }) => distance === 0).map(({ file }) => file)
  return within(
    order.map(({ file }) => file),
    edited.length,
    budget,
  )
}

/**
 * The browser tests for `changed`: changed ones, then those with the name of a changed feature, until the budget is used up; one journey
 * when a change has no namesake.
 */
export function browserTests(changed: readonly string[], tests: readonly string[], budget: Budget): Choice {
  const edited = tests.filter((test) => changed.includes(test))
  const named = new Map<string, number>()
  let nameless = false
  for (const file of changed) {
    if (tests.includes(file) || !reachesScreens(file)) continue
    const word = file.startsWith('server/auth/') ? 'account' : nounOf(file).replace(/s$/, '')
    const own = tests.filter((test) => word !== '' && path.basename(test).includes(word))
    for (const test of own) named.set(test, path.basename(test).replace(/s?\.test\.ts$/, '').length - word.length)
    nameless ||= own.length === 0
  }
  const order = [...named]
    .filter(([test]) => !edited.includes(test))
    .toSorted(([a, first], [b, second]) => first - second || secondsOf(a, budget) - secondsOf(b, budget))
    .map(([test]) => test)
  const journey = nameless && !edited.includes(MAIN_JOURNEY) && !named.has(MAIN_JOURNEY) ? [MAIN_JOURNEY] : []
  return within([...edited, ...journey, ...order], Math.max(edited.length, 1), budget)
}

/** As many of `order` as the budget allows, the first `certain` in any case. */
function within(order: readonly string[], certain: number, budget: Budget): Choice {
  const chosen: string[] = []
  let seconds = 0
  for (const [place, file] of order.entries()) {
    const more = secondsOf(file, budget)
    if (place >= Math.max(certain, 1) && seconds + more > budget.seconds) continue
    chosen.push(file)
    seconds += more
  }
  return { chosen, left: order.length - chosen.length, seconds }
}

const secondsOf = (file: string, { durations, unknown }: Budget): number => durations[file] ?? unknown

/** The noun of a feature's file, in whichever package it is, of a connector, or of a part of the engine; '' for other files. */
function nounOf(file: string): string {
  const match =
    /^(?:web|server)\/features\/([^/]+)\/|^contract\/(?:[^/]+\/)?([^/.]+)|^(?:connectors|engine)\/([^/]+)\//.exec(file)
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
}

/** Whether a change of the file can show in a browser: tests, texts and measurements cannot; the engine is seen through its own tests. */
function reachesScreens(file: string): boolean {
  return (
    /^(web|server|contract|connectors|e2e)\//.test(file) &&
    !/(\.test\.tsx?|\/testing\.ts|\/vitest[^/]*\.ts|\.(md|jsonl|tsv))$/.test(file)
  )
}

function sharedFolders(file: string, changed: readonly string[]): number {
  const folders = path.posix.dirname(file).split('/')
  return Math.max(
    ...changed.map((other) => {
      const theirs = path.posix.dirname(other).split('/')
      const differs = folders.findIndex((folder, at) => folder !== theirs[at])
      return differs < 0 ? folders.length : differs
    }),
  )
}
