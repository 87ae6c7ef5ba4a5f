import type { ComparisonView, SessionsView } from './comparison-view.ts'

const KEPT = 4

/** Loads at most `count` comparisons from the one at `from` (from 0), and how many there are. */
export type LoadPages = (from: number, count: number) => Promise<SessionsView & { total: number }>

/** The files on the server changed, or another source was chosen in another tab. */
export class ChangedComparisons extends Error {
  override name = 'ChangedComparisons'
}

/** Comparisons of which only those that are shown are loaded; `total`: how many there are. */
export type ComparisonPages = {
  generators: string[]
  total: number
  /** One comparison; the next one is loaded ahead. Those used last are kept. Throws ChangedComparisons. */
  load(index: number): Promise<ComparisonView>
  /** All of them, without their inputs, which would be the larger part. `onProgress` gets how many are loaded. Throws ChangedComparisons. */
  loadAll(onProgress: (done: number) => void, signal: AbortSignal): Promise<SessionsView>
}

/** Comparisons that are loaded page by page, beginning with the one at `wanted`, or with the first when there are fewer. `most`: of one call. */
export async function openPages(load: LoadPages, wanted: number, most: number): Promise<ComparisonPages> {
  const loadFirst = async (index: number) => ({ index, ...(await load(index, 1)) })
  const opened = await loadFirst(wanted).catch((error: unknown) => {
    if (wanted === 0) throw error
    return loadFirst(0)
  })
  const kept = new Map<number, Promise<ComparisonView>>()

  /** What was loaded, of the same comparisons as before. */
  const loadSame = async (from: number, count: number): Promise<ComparisonView[]> => {
    const { total, generators, comparisons } = await load(from, count)
    const isSame = total === opened.total && generators.join('\n') === opened.generators.join('\n')
    if (!isSame || comparisons.length === 0) throw new ChangedComparisons()
    return comparisons
  }
  const keep = (index: number, comparison: Promise<ComparisonView>) => {
    kept.delete(index)
    kept.set(index, comparison)
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
    return comparison
  }
  const loadOne = (index: number): Promise<ComparisonView> => {
    const known = kept.get(index)
    const comparison = known ?? loadSame(index, 1).then(([found]) => found as ComparisonView)
    if (!known)
      comparison.catch(() => {
        if (kept.get(index) === comparison) kept.delete(index)
      })
    return keep(index, comparison)
  }

  const [first] = opened.comparisons
  if (first) void keep(opened.index, Promise.resolve(first))

  return {
    generators: opened.generators,
    total: opened.total,

    async load(index) {
      const comparison = await loadOne(index)
      if (index + 1 < opened.total) loadOne(index + 1).catch(() => undefined)
      return comparison
    },

    async loadAll(onProgress, signal) {
      const { generators, total } = opened
      const comparisons: ComparisonView[] = []
      while (comparisons.length < total) {
        signal.throwIfAborted()
        for (const one of await loadSame(comparisons.length, most)) comparisons.push({ ...one, input: '' })
        onProgress(comparisons.length)
      }
      return { generators, comparisons }
    },
  }
}
