import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/**
 * A vitest reporter that writes the errors that belong to no test, as an array of strings, to the file that UNHANDLED_ERRORS_FILE names:
 * they fail a run, and vitest's JSON report leaves them out.
 */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const file = process.env['UNHANDLED_ERRORS_FILE']
    if (file) writeFileSync(file, JSON.stringify(errors.map(({ stack, message }) => stack ?? message)))
  }
}
