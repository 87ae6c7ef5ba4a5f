import { startTestServer, TEST_SERVER_VARIABLE } from './test-server.ts'

/**
 * Runs around a whole test run: the shared server is there before the first test and released after the last, so
 * nothing is left running. Nothing to do when TEST_DATABASE_URL names a server.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined
  const server = await startTestServer()
  const { ownerUrl, appUrl, authUrl } = server
  process.env[TEST_SERVER_VARIABLE] = JSON.stringify({ ownerUrl, appUrl, authUrl })
  return async () => {
    delete process.env[TEST_SERVER_VARIABLE]
    await server.stop()
  }
}
