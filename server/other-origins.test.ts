import { listInsights } from '@groundswell/contract/insights.ts'
import { expect, test } from 'vitest'
import { startApi } from './api.ts'
import { boot } from './boot.ts'
import { testDatabase } from './platform/db/testing.ts'

test('pages of allowed origins may ask for what changed in the list of insights, and read that it is offered', async () => {
  const origin = 'https://app.example.com'
  const database = await testDatabase()
  const { services, stop } = await boot({ ...database.config, allowedOrigins: [origin] }, { listens: true })
  const api = await startApi(services)
  const url = api.url + listInsights.path
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-insights-delta' },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Insights-Delta')
  const answer = await fetch(url, { headers: { origin } })
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Insights-Delta')
  await api.close()
  await stop({ graceSeconds: 1 })
  await database.cleanup()
})
