import { expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { revoke } from './revoke.ts'
import { drain, openSlack, signedIn } from './testing.ts'

it('ends the sign-in at Slack, so that the token is refused afterwards', async () => {
  await using slack = await openSlack()
  const context = await signedIn(slack)
  await drain(context)
  await revoke({ ...context, settings: { ...context.settings, revocable: true } })
  expect(slack.calls().map(({ method }) => method)).toContain('auth.revoke')
  expect(await failureFrom(drain(context))).toMatchObject({ kind: 'auth' })
})
