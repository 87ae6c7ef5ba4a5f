/** A started entry point, and how it is stopped. */
export type Running = { stop: () => Promise<void> }

const GRACE_MS = 40_000

/**
 * Runs a process until Ctrl-C, SIGTERM or a hang-up, then stops what `start` started. A second signal, or a stop that takes
 * longer than 40 s, ends the process immediately. A start that fails prints its error and exits with 1. A stop that was requested
 * during the start waits for it, so that nothing is left running.
 */
export async function runUntilStopped(start: () => Promise<Running>): Promise<void> {
  const asked = Promise.withResolvers<void>()
  let signals = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signals += 1
      // Ctrl-C reaches a process twice when npm passes it on: only a later, deliberate one counts as a second.
      if (signals === 1) setTimeout(() => process.on(signal, () => process.exit(1)), 1_500).unref()
      asked.resolve()
    })
  }
  let running: Running
  try {
    running = await start()
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
  await asked.promise
  setTimeout(() => process.exit(1), GRACE_MS).unref()
  await running.stop()
  process.exit(0)
}
