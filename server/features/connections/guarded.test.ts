import { connectors, posters } from '@groundswell/connectors/index.ts'
import { startServer } from '@groundswell/connectors/kit/testing.ts'
import { expect, test } from 'vitest'
import { testServices } from '../../platform/http/testing.ts'
import { providerContext } from './context.ts'
import { guardedFetch } from './index.ts'

// That the guard checks each connection, so that DNS rebinding gains nothing, is tested in connectors/kit/http/guard.test.ts; here, that everything has it.
test('the requests of every connector and of single sign-on are guarded', async () => {
  await using target = await startServer()
  const server = await testServices({ allowPrivateAddresses: [] })
  try {
    const url = `http://localhost:${target.port}/`
    for (const { manifest } of [...connectors, ...posters]) {
      const { http } = providerContext(server.services, manifest.id, { settings: {}, secrets: {} })
      const asked = http.request({ method: 'POST', url, body: '{}' })
      await expect(asked).rejects.toThrow('private or reserved')
    }
    const asked = guardedFetch(server.services)(url, { method: 'GET', headers: {} })
    await expect(asked).rejects.toThrow('private or reserved')
  } finally {
    await server.stop()
  }
  expect(target.connections()).toBe(0)
})
