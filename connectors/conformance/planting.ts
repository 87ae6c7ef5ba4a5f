import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Context, Http } from '../connector.ts'
import type { Check } from './check.ts'

/** Whether a check fails. Only a failed assertion counts: any other error is a mistake in the planted fault. */
export async function catches<S>(check: Check<S>, subject: S): Promise<boolean> {
  let skipped: string | void
  try {
    skipped = await check.run(subject)
  } catch (error) {
    expect(String(error)).toMatch(/^AssertionError|It did not fail/)
    return true
  }
  expect(skipped).toBeUndefined()
  return false
}

/** The check of this name. */
export const named = <S>(checks: readonly Check<S>[], name: string): Check<S> => {
  const check = checks.find((one) => one.name === name)
  if (!check) throw new Error(`There is no check "${name}"`)
  return check
}

type Send = Http['request']
/** The same context with changed requests. */
export const overHttp = (context: Context, change: (send: Send) => Send): Context => ({
  ...context,
  http: { request: change((request) => context.http.request(request)) },
})
/** The same context with a signal that is never aborted. */
export const unending = (context: Context): Context => ({ ...context, signal: new AbortController().signal })

/** Sends a request again after a 429, `pause` milliseconds later. */
export const sendsAgain =
  (pause: number) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request)
    if (response.status !== 429) return response
    await setTimeout(pause)
    return await send(request)
  }
/** Reads a page of HTML as this JSON. */
export const readsHtmlAs =
  (body: unknown) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request)
    return response.body.startsWith('<') ? { ...response, body: JSON.stringify(body) } : response
  }

/** The names of the checks that fail. */
export async function caughtBy<S>(checks: readonly Check<S>[], subject: S): Promise<string[]> {
  const names: string[] = []
  for (const check of checks) if (await catches(check, subject)) names.push(check.name)
  return names
}
