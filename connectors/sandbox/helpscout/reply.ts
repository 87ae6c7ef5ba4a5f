import type { Json } from './views.ts'

/** A response of the API. `headers` are added to the usual ones. */
export type Reply = { status: number; body: Json | null; headers?: Record<string, string> }

export const ok = (body: Json): Reply => ({ status: 200, body })
export const notFound = (): Reply => ({ status: 404, body: { logRef: 'l-404', message: 'Resource not found' } })
export const invalid = (message: string): Reply => ({ status: 400, body: { logRef: 'l-400', message } })
