import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { SpecStack } from './stacks.ts'

/**
 * Does what makes the page send `call`, and waits until the page has used the reply. `button` is disabled meanwhile: the reply is held until it is,
 * because a page that has not yet rendered it as disabled looks like one that is finished.
 */
export async function untilAnswered(
  { front }: SpecStack,
  call: string,
  button: Locator,
  send: () => Promise<unknown>,
): Promise<void> {
  const release = front.hold(call)
  await send()
  await expect.poll(() => button.isDisabled()).toBe(true)
  release()
  await expect.poll(() => button.isEnabled()).toBe(true)
}
