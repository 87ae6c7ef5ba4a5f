/** The longest time in which the screen may be unresponsive. */
const SLICE_MS = 5
/** Work continues after this time even when the browser is never idle. */
const MAX_WAIT_MS = 60

/** Runs a generator to its end in short slices while the browser is idle. Null once `signal` aborts. */
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

/** Not every browser has idle callbacks. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: MAX_WAIT_MS })
    else setTimeout(resolve)
  })
}
