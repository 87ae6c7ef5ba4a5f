import { describe, expect, it } from 'vitest'
import { app } from './app.ts'

describe('the application', () => {
  it('is set up with the addresses of this server', () => {
    const redirectUrl = 'https://feedback.example.com/api/linear/callback'
    const eventsUrl = 'https://feedback.example.com/api/linear/events'
    const { steps, paste } = app.guide({ redirectUrl, eventsUrl })
    expect(steps.join(' ')).toContain(eventsUrl)
    expect(paste?.text).toBe(redirectUrl)
  })

  it('needs no signing secret', () => {
    const fields = { client_id: 'c', client_secret: 's' }
    expect(app.form.safeParse(fields).success).toBe(true)
    expect(app.form.safeParse({ ...fields, webhook_secret: '' }).success).toBe(true)
    expect(app.form.safeParse({ ...fields, client_secret: '' }).success).toBe(false)
    expect(app.form.safeParse({ ...fields, webhook_secret: 'a b' }).success).toBe(false)
  })
})
