/** How long the screen may be kept from answering. */
const SLICE_MS = 5
/** Work goes on after so long even when the browser never has time for it. */
const PATIENCE_MS = 60

/** Runs a generator to its end in short slices while the browser has nothing better to do. Null once `signal` aborts. */
export async function inIdleSlices<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T | null> {
  for (;;) {
    await idle()
    if (signal.aborted) return null
    const until = performance.now() + SLICE_MS
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (performance.now() < until)
  }
}

/** Not every browser tells when it is idle. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: PATIENCE_MS })
    else setTimeout(resolve)
  })
}
