import { expect } from 'vitest'

/**
 * Declares within a test which items of the OWASP ASVS it proves, such as `6.2.1`. docs/security-asvs.md names the test beside the
 * item, and a test compares the two. Such a test must make an assertion.
 */
export function proves(...items: readonly `${number}.${number}.${number}`[]): void {
  if (items.length === 0) throw new Error('name the items that the test proves')
  expect.hasAssertions()
}
