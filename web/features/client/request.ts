import type { Route } from '@groundswell/contract/route.ts'
import { CallError, errorFrom } from './call-error.ts'
import { checkReply } from './reply-check.ts'
import { readToken, removeToken } from './token.ts'

const LOGIN_SCREEN = '/login'

/** The base address of all calls; empty means the address this page came from. */
export function apiHost(): string {
  return (import.meta.env.VITE_API_HOST ?? '').replace(/\/+$/, '')
}

/** Values in an address: path parameters or query. */
export type AddressParts = Readonly<Record<string, string | number | undefined>>

/** The address of a call. Throws when a path parameter is missing, which is a bug of ours. */
export function callAddress(route: Route, params: AddressParts = {}, query: AddressParts = {}): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${route.name} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const asked = search.toString()
  return `${apiHost()}${path}${asked ? `?${asked}` : ''}`
}

let shown: string | undefined

/** Names the workspace that this page shows in every call from now on: the server refuses them once the session acts in another. */
export function showWorkspace(id: string | undefined): void {
  shown = id
}

/** The headers of every call: the bearer token, the tunnel's header, and the XSRF cookie's value. */
export function callHeaders(token: string | null, contentType?: string): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json', 'ngrok-skip-browser-warning': 'true' }
  if (contentType) headers['Content-Type'] = contentType
  if (token) headers['Authorization'] = `Bearer ${token}`
  if (shown) headers['X-Workspace'] = shown
  const xsrf = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  if (xsrf) headers['X-XSRF-TOKEN'] = decodeURIComponent(xsrf)
  return headers
}

/** The input of any call. */
export type LooseInput = {
  params?: AddressParts
  query?: AddressParts
  body?: unknown
  raw?: Blob
}

/** Makes one call with this token, even if it has expired. Throws CallError. */
export async function send<R>(route: Route, input: LooseInput, token: string | null): Promise<R> {
  const { params, query, body, raw } = input
  const contentType = raw ? 'application/octet-stream' : body === undefined ? undefined : 'application/json'
  let answer: Response
  try {
    answer = await fetch(callAddress(route, params, query), {
      method: route.method,
      headers: callHeaders(token, contentType),
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    })
  } catch {
    throw noAnswer()
  }
  return settle<R>(route, token, answer.status, await answer.text())
}

/**
 * Converts a response to the reply or a CallError. A page whose session acts in another workspace, or may not act in
 * this one any more, is loaded again. A 401 removes the token and redirects to /login, unless it is the response
 * to a sign-in, or the token has been replaced since.
 */
export function settle<R>(route: Route, sentToken: string | null, status: number, text: string): R {
  const body = readJson(text)
  if (status >= 200 && status <= 299) {
    checkReply(route, body)
    return body as R
  }
  if (status === 401 && readToken() === sentToken) {
    removeToken()
    if (route.name !== 'login' && route.name !== 'signup') location.assign(LOGIN_SCREEN)
  }
  const failure = errorFrom(status, body)
  const isShutOut = failure.code === 'sso_required' && route.name !== 'getUserData'
  if (failure.code === 'workspace_changed' || isShutOut) location.reload()
  throw failure
}

/** The failure of a call without a response. */
export function noAnswer(): CallError {
  return new CallError(0, 'The server cannot be reached.')
}

function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
