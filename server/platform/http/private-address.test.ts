import { expect, test } from 'vitest'
import { privateAddressRefused } from './private-address.ts'

test('a private address is refused with the setting and the host for admins, and with whom to ask for others', () => {
  const admin = privateAddressRefused({ isAdmin: true }, 'webhook', 'http://[fd00::7]:8080/hook')
  expect(admin).toMatchObject({ code: 'invalid_input', fields: { webhook: admin.message } })
  expect(admin.message).toContain('add fd00::7 to WEBHOOK_ALLOW')
  const member = privateAddressRefused({ isAdmin: false }, 'webhook', 'http://10.0.0.7/hook')
  expect(member.message).toContain('Ask your operator')
  expect(member.message).not.toContain('WEBHOOK_ALLOW')
})
