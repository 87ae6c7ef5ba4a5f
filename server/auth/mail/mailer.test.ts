import { describe, expect, it } from 'vitest'
import type { Services } from '../../platform/services.ts'
import { sendMail } from './mailer.ts'
import { recoveryMessage } from './messages.ts'

/** What is logged when a mail should be sent without a mail server, depending on the product's public address. */
function logged(publicUrl?: string): string {
  const lines: unknown[] = []
  const take = (line: unknown) => void lines.push(line)
  const log = { child: () => ({ info: take, warn: take, error: take }) }
  const services = { config: { publicUrl, port: 3000 }, log } as unknown as Services
  sendMail(services, 'ann@example.com', recoveryMessage('http://localhost:3000/auth/v1/verify?token=secret', '123456'))
  return JSON.stringify(lines)
}

describe('without a mail server', () => {
  it.each([undefined, 'http://localhost:3000', 'http://127.0.0.1:8080'])(
    'the log has the link on this machine: %s',
    (url) => {
      expect(logged(url)).toContain('token=secret')
      expect(logged(url)).toContain('123456')
    },
  )

  it.each(['https://us.example', 'http://localhost.evil.example', 'http://10.0.0.1'])(
    'has none elsewhere: %s',
    (url) => {
      const text = logged(url)
      expect(text).toContain('recovery')
      expect(text).not.toContain('token=secret')
      expect(text).not.toContain('123456')
      expect(text).not.toContain('ann@example.com')
    },
  )
})
