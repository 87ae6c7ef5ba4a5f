import type { InsightCustomers as Customers } from '@groundswell/contract/insights/insight-detail.ts'
import { Link } from 'react-router'
import { countAndRevenue, fullAmount, shortAmount } from './amount-words.ts'

/** The customers of an insight in its panel: how many, their total revenue, and the largest. */
export function InsightCustomers({ customers: { total, revenue, largest } }: { customers: Customers }) {
  const more = total - largest.length
  return (
    <section className="min-w-0">
      <h3 className="font-semibold">
        Customers <span className="font-normal text-muted tabular-nums">{countAndRevenue(total, revenue)}</span>
      </h3>
      <ul className="mt-1">
        {largest.map(({ id, name, plan, revenue: pays, mentions }) => (
          <li key={id} className="flex h-6 items-center gap-2">
            <Link
              to={`/customers?customer=${id}`}
              dir="auto"
              title={name}
              className="min-w-0 truncate rounded-small text-accent hover:underline"
            >
              {name}
            </Link>
            {plan ? (
              <span dir="auto" className="max-w-32 shrink-0 truncate text-small text-muted">
                {plan}
              </span>
            ) : null}
            {pays === null ? null : (
              <span title={fullAmount(pays)} className="text-small text-muted tabular-nums">
                {shortAmount(pays)}
              </span>
            )}
            <span className="ml-auto text-muted tabular-nums">
              {mentions}
              <span className="sr-only">{mentions === 1 ? ' mention' : ' mentions'}</span>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="text-small text-muted">and {more} more</p> : null}
    </section>
  )
}
