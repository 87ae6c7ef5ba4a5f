/**
 * One thing that every connector of a kind does. `run` asserts it with `expect`; it returns the reason where it does not apply. The
 * suites run every check over every connector, `planted-faults.test.ts` runs them over faulty ones.
 */
export type Check<S> = { name: string; run(subject: S): Promise<string | void> }

/** The time limit, in ms, of a run with `fault`: short where nothing is ever answered, and otherwise the usual one, which a slow machine keeps. */
export const limitFor = (fault: string): number | undefined => (fault === 'silence' ? 1_500 : undefined)
