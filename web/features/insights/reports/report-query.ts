import type { getReport } from '@groundswell/contract/reports.ts'
import type { QueryOf } from '@groundswell/contract/route.ts'
import type { ReportChoice } from './report-address.ts'

/** What the calls for a report are asked. */
export type ReportQuery = QueryOf<typeof getReport>

/** A choice as these calls take it. */
export function queryOf({ from, to, by, tag, attribute, attributes }: ReportChoice): ReportQuery {
  return {
    from,
    to,
    by,
    ...(tag === undefined ? {} : { tag }),
    ...(by === 'attribute' ? { attribute } : {}),
    ...(attributes === '' ? {} : { attributes }),
  }
}
