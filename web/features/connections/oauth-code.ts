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

/** The code that is on its way from this page. */
let onItsWay: string | null = null

/**
 * Sends a code to the server, once in this browser tab. 'sending': it is on its way already, as when the page is drawn twice;
 * 'known': it was sent before, as when the page is reloaded.
 */
export async function sendCode(code: string, state: string | null): Promise<'sent' | 'sending' | 'known'> {
  if (onItsWay === code) return 'sending'
  if (sessionStorage.getItem(SENT_KEY) === code) return 'known'
  sessionStorage.setItem(SENT_KEY, code)
  onItsWay = code
  try {
    const { tile } = tileOfState(state)
    await call(finish, { params: { tile }, body: { code, ...(state === null ? {} : { state }) } })
    return 'sent'
  } finally {
    onItsWay = null
  }
}
