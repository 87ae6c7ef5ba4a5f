/** How many flaky tests a run may have, each named in its report; one more fails it. */
const FLAKY_ALLOWED = 2

/** How a suite deals with a test that fails: `retries` more tries, and how many tests may need them. */
export type Retries = { retries: number; flakyAllowed: number }

/**
 * A browser test gets a second try: it depends on a program whose timing is not ours. No other test does. `--no-retry` or RETRIES=0
 * switches it off.
 */
export function retriesOf(
  suite: { browser: boolean },
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Retries {
  const off = args.includes('--no-retry') || environment['RETRIES'] === '0'
  return suite.browser && !off ? { retries: 1, flakyAllowed: FLAKY_ALLOWED } : { retries: 0, flakyAllowed: 0 }
}
