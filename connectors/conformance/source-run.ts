import type { Connector, Context } from '../connector.ts'
import { createHttp } from '../kit/http/http.ts'
import type { PageStore } from '../kit/page-store.ts'
import type { SourceSample, SourceStandIn } from '../kit/sample.ts'
import { testContext } from '../kit/testing.ts'
import { recordingCredentials } from './recording-credentials.ts'

/** A connector that pulls, and the stand-in of its `testing.ts`. */
export type SourceSubject = { connector: Connector; open: SourceSample }

/** Connects with the form, as the core does. `hidden`: what must not be in a message or a log. */
export async function contextOf(connector: Connector, standIn: SourceStandIn, timeoutMs = 5000) {
  const form = Object.entries(connector.manifest.form.parse(standIn.form))
  const { http, credentials } = recordingCredentials(createHttp({ guard: null, maxBytes: 16 * 1024 * 1024, timeoutMs }))
  const context = testContext({
    baseUrl: standIn.baseUrl,
    settings: Object.fromEntries(form.filter(([name]) => !connector.manifest.secretFields.includes(name))),
    secrets: Object.fromEntries(form.filter(([name]) => connector.manifest.secretFields.includes(name))) as Record<
      string,
      string
    >,
    http,
  })
  const account = await connector.check?.(context)
  const secrets = account?.secrets ?? {}
  const hidden = () => [...standIn.words, ...Object.values(secrets), ...credentials]
  return { context: { ...context, settings: account?.settings ?? {}, secrets }, log: context.log, hidden }
}

/** Pages from a cursor on. */
export const pullOf = (connector: Connector, context: Context, cursor: unknown) => {
  if (!connector.pull) throw new Error('It does not pull')
  return connector.pull(context, cursor)
}

/** Pulls pages into the store, up to a limit. True if the end was reached. */
export async function run(connector: Connector, context: Context, store: PageStore, pages = Infinity) {
  let left = pages
  for await (const page of pullOf(connector, context, store.cursor())) {
    if (left <= 0) return false
    left -= 1
    store.commit(page)
  }
  return true
}
