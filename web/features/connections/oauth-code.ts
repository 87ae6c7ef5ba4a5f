import { route } from '@groundswell/contract/route.ts'
import { type TileName, tiles } from '@groundswell/contract/tiles.ts'
import * as z from 'zod/mini'
import { call } from '../client/index.ts'

const SENT_KEY = 'oauth-code-sent'

const finish = route({
  name: 'finishOAuth',
  summary: 'Finish connecting with the code that the provider sent back',
  method: 'POST',
  path: '/api/{tile}/oauth',
  access: 'member',
  params: z.object({ tile: z.string() }),
  body: z.object({ code: z.string(), state: z.optional(z.string()) }),
  reply: z.unknown(),
  errors: [],
})

/** The tile that a sign-in was for: our server's state names it; without one it is the chat tool of the spec. */
export function tileOfState(state: string | null): { tile: TileName; name: string } {
  const named = state?.split('.')[0]
  return tiles.find(({ tile }) => tile === named) ?? tiles[0]
}

/** Sends a code to the server, once for each code in this browser tab, also when the page is drawn twice or reloaded. */
export async function sendCode(code: string, state: string | null): Promise<'sent' | 'known'> {
  if (sessionStorage.getItem(SENT_KEY) === code) return 'known'
  sessionStorage.setItem(SENT_KEY, code)
  const { tile } = tileOfState(state)
  await call(finish, { params: { tile }, body: { code, ...(state === null ? {} : { state }) } })
  return 'sent'
}
