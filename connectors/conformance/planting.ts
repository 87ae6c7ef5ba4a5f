import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Context, Http } from '../connector.ts'
import type { Check } from './check.ts'

/** A fault that is planted in something good, and the name of the check that catches it. */
export type PlantedFault<G> = { fault: string; plant: (good: G) => G; check: string }

/**
 * Whether a check fails, or why it does not apply. Only a failed assertion counts: any other error is a mistake in the planted fault.
 */
export async function catches<S>(check: Check<S>, subject: S): Promise<boolean | string> {
  try {
    return (await check.run(subject)) ?? false
  } catch (error) {
    expect(String(error)).toMatch(/^AssertionError|It did not fail/)
    return true
  }
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

/** Sends a request again after a refusal, `pause` milliseconds later. */
export const sendsAgain =
  (pause: number) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request)
    if (response.status < 400) return response
    await setTimeout(pause)
    return await send(request)
  }
/** Logs the headers of each request, credentials included. */
export const loggingHeaders =
  ({ log }: Pick<Context, 'log'>) =>
  (send: Send): Send =>
  (request) => {
    log.info({ headers: request.headers }, 'sends a request')
    return send(request)
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
  for (const check of checks) if ((await catches(check, subject)) === true) names.push(check.name)
  return names
}
