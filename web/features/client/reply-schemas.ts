import { routes } from '@groundswell/contract/routes.ts'
import { logOddity } from './log.ts'

/** Only the first entries of a longer list are compared: thousands would block the page. */
const MAX_COMPARED = 100

const schemas = new Map(routes.map(({ name, reply }) => [name, reply]))

/** Logs how a reply differs from the contract of this call. */
export function compareReply(name: string, body: unknown): void {
  const part = Array.isArray(body) ? body.slice(0, MAX_COMPARED) : body
  const parsed = schemas.get(name)?.safeParse(part)
  if (!parsed || parsed.success) return
  const issues = parsed.error.issues.slice(0, 5).map(({ path, code }) => `${path.join('.')}: ${code}`)
  logOddity(`${name}: the answer differs from the contract`, issues)
}
