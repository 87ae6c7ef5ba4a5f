import { type OpenIdSandbox, startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import { type MailServer, mailServer } from '@groundswell/server/platform/mail/testing.ts'
import { type Stack, startStack } from './stack.ts'

/** The product whose people are signed in by a hosted project, which is a second server of our own on another origin. */
export type HostedStack = {
  app: Stack
  project: Stack
  mail: MailServer
  google: OpenIdSandbox
  /** Advances the clocks of both servers. */
  passTime(ms: number): void
  stop(): Promise<void>
}

export const PUBLIC_KEY = 'sb_publishable_of_the_project'

export async function startHostedStack(): Promise<HostedStack> {
  const [google, mail] = [await startOpenId(), await mailServer()]
  const { url: issuer, clientId, clientSecret } = google
  // The server reads this list at each request; the address of the product is known only once it runs.
  const allowedOrigins = ['http://not-known-yet.example']
  const project = await startStack({
    config: {
      google: { issuer, clientId, clientSecret },
      smtpUrl: mail.url,
      authRateLimits: null,
      allowedOrigins,
    },
  })
  const hostedAuth = { url: project.url, key: PUBLIC_KEY, issuer: `${project.url}/auth/v1` }
  const app = await startStack({ config: { hostedAuth, authRateLimits: null } })
  allowedOrigins.push(app.url)
  return {
    app,
    project,
    mail,
    google,
    passTime(ms) {
      app.passTime(ms)
      project.passTime(ms)
    },
    async stop() {
      await app.stop()
      await project.stop()
      await mail.stop()
      await google.stop()
    },
  }
}
