import { writeFileSync } from 'node:fs'

/**
 * A vitest reporter that writes the errors that belong to no test, as an array of strings, to the file that UNHANDLED_ERRORS_FILE names:
 * they fail a run, and vitest's JSON report leaves them out.
 */
export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    const file = process.env.UNHANDLED_ERRORS_FILE
    if (file) writeFileSync(file, JSON.stringify(errors.map((error) => error.stack ?? error.message ?? String(error))))
  }
}
