import type { Json } from './views.ts'

export type Reply = { status: number; body: Json | null }

export const ok = (body: Json): Reply => ({ status: 200, body })

/** An error as Intercom words it. */
export const refuse = (status: number, code: string, message = 'The request was refused'): Reply => ({
  status,
  body: { type: 'error.list', request_id: '8b3deed3-fd8b-43d6-b6a8-428c9e17aabb', errors: [{ code, message }] },
})
