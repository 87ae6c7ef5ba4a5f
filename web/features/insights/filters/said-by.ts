import { listAttributeInsights } from '@groundswell/contract/insights/attributes.ts'
import { CallError, call } from '../../client/index.ts'
import { readInsightNumbers } from '../../customers/index.ts'

/** The insights that a customer mentioned and that have a mention with these values of attributes; '' for any. */
export async function readSaidBy(customer: string, attributes: string): Promise<ReadonlySet<number>> {
  const [mentioned, valued] = await Promise.all([
    customer ? readInsightNumbers(customer) : null,
    attributes ? readValued(attributes) : null,
  ])
  if (mentioned && valued) return new Set([...mentioned].filter((number) => valued.has(number)))
  return mentioned ?? valued ?? new Set()
}

/** None where the address names values that cannot be asked for. */
async function readValued(attributes: string): Promise<Set<number>> {
  try {
    return new Set((await call(listAttributeInsights, { query: { attributes } })).issue_numbers)
  } catch (error) {
    if (error instanceof CallError && error.status < 500) return new Set()
    throw error
  }
}
