import * as z from 'zod/mini'
import type { Connector } from '../connector.ts'

/** The suffix of the id of a connector's second sign-in. */
const SUFFIX = '-post'

const UNNAMED = 'The app that posts'

/** The second sign-in of a connector as a separate connector, without a tile; null for one that cannot post. */
export function posterConnector({ manifest, poster }: Connector): Connector | null {
  if (!poster) return null
  const { app, oauth, refresh, revoke } = poster
  return {
    manifest: {
      ...manifest,
      id: `${manifest.id}${SUFFIX}`,
      side: 'poster',
      tile: false,
      fields: [],
      form: z.object({}).check(z.refine(() => false, `Sign in on the page of ${manifest.label}`)),
      signs: false,
      describe: ({ team }) => ({ name: typeof team === 'string' && team !== '' ? team : UNNAMED, userData: {} }),
      unconnected: {},
    },
    postsFor: manifest.id,
    app,
    oauth,
    choicesRequired: false,
    ...(refresh ? { refresh } : {}),
    ...(revoke ? { revoke } : {}),
  }
}
