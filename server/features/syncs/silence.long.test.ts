import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { smallCompany, startSyncApp } from './testing.ts'

const MESSAGES = 20

it('a silent provider is waited for no longer than the timeout, and nothing is lost', async () => {
  const app = await startSyncApp(smallCompany(MESSAGES))
  try {
    const ann = await app.test.person(randomUUID())
    await app.connect(ann)
    app.slack.fault('silence', 1, 'conversations.history')
    const outcome = await app.sync(ann).catch((error: { kind: string }) => error.kind)
    expect([true, 'unavailable']).toContain(outcome)
    expect((await app.tile(ann))?.error).toMatch(/did not respond within 15 s.* It is retried\.$/)
    await app.sync(ann)
    const texts = (await app.items(ann)).map(({ text }) => text).sort()
    const sent = app.slack.workspace.all().map(({ text }) => text)
    expect(texts).toEqual(sent.sort())
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', error: null })
  } finally {
    await app.cleanup()
  }
})
