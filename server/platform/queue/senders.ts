/**
 * Where the data of a job has the `traceparent` of the work that sent it, or of each that did where many share one job. There is none
 * while no traces are sent. Kinds of jobs do not see it.
 */
export const SENDERS = 'traceparent'

/** The most that are kept for one job. */
export const MAX_SENDERS = 32

/** The data of a new job with its sender. */
export function withSender(data: object, sender: string | undefined): object {
  return sender === undefined ? data : { ...data, [SENDERS]: [sender] }
}

/** The senders of a job. */
export function sendersIn(data: unknown): string[] {
  const found = (data as Record<string, unknown> | null | undefined)?.[SENDERS]
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : []
}

/** The data of a job as its kind declares it. */
export function withoutSenders(data: object): object {
  if (!(SENDERS in data)) return data
  const { [SENDERS]: _, ...own } = data
  return own
}
