import { type Customer, removeCustomer } from '@groundswell/contract/customers.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { saidText } from '../../ui/text/moment.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { fullAmount } from './amount-words.ts'
import { CUSTOMERS, useCustomer, useSaid } from './customer-queries.ts'
import { WatchCustomer } from './watch-customer.tsx'

/** What is known about a customer, and what it said. */
export function CustomerPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending } = useCustomer(id)
  return (
    <Panel open onClose={onClose} title={data?.customer.name ?? 'Customer'}>
      {data ? (
        <div className="flex flex-col gap-5">
          <Facts customer={data.customer} onClose={onClose} />
          <Said id={id} />
        </div>
      ) : isPending ? (
        <div className="skeleton h-24" role="status" aria-label="Loading" />
      ) : (
        <p role="alert" className="text-bad">
          {error?.message}
        </p>
      )}
    </Panel>
  )
}

function Facts({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { domain, plan, revenue, region, messages, insights, attributes, listed } = customer
  const facts = [
    { name: 'Domain', value: domain },
    { name: 'Plan', value: plan },
    { name: 'Revenue', value: revenue === null ? null : fullAmount(revenue) },
    { name: 'Region', value: region },
    { name: 'Messages', value: String(messages) },
    { name: 'Insights', value: String(insights) },
    ...attributes,
  ].filter(({ value }) => value !== null)
  return (
    <section>
      <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1">
        {facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt dir="auto" className="truncate text-muted">
              {name}
            </dt>
            <dd dir="auto" className="min-w-0 break-words tabular-nums">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        {insights > 0 ? (
          <Link to={`/insights?customer=${customer.id}`} className={buttonClass()}>
            Show its insights
          </Link>
        ) : null}
        <WatchCustomer id={customer.id} name={customer.name} />
        {listed ? <Removal customer={customer} onRemoved={onClose} /> : null}
      </div>
    </section>
  )
}

function Removal({ customer, onRemoved }: { customer: Customer; onRemoved: () => void }) {
  const [asked, setAsked] = useState(false)
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(removeCustomer, { params: { id: customer.id } }),
    onSuccess: () => {
      toast({ title: 'Removed from the list', description: `${customer.name} now shows what its messages say.` })
      onRemoved()
    },
    onError: (error) => toast({ title: 'Not removed from the list', description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: [CUSTOMERS] }),
  })
  return (
    <>
      <Button data-edits onClick={() => setAsked(true)}>
        Remove from the list
      </Button>
      <Confirm
        open={asked}
        title="Remove from the list?"
        question={`What the list said about ${customer.name} is deleted. Its messages stay.`}
        action="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onOpenChange={setAsked}
      />
    </>
  )
}

function Said({ id }: { id: string }) {
  const feedback = useSaid(id)
  const mentions = feedback.data?.pages.flatMap((page) => page.mentions) ?? []
  return (
    <section>
      <h3 className="font-semibold">Feedback</h3>
      {feedback.isPending ? (
        <div className="skeleton mt-2 h-24" role="status" aria-label="Loading its feedback" />
      ) : null}
      {feedback.isError ? (
        <p role="alert" className="mt-1 text-bad">
          {feedback.error.message}
        </p>
      ) : null}
      {feedback.data && mentions.length === 0 ? (
        <p className="mt-1 text-muted">No messages from this customer.</p>
      ) : null}
      <ol className="mt-1">
        {mentions.map((mention, index) => (
          <li key={mention.id ?? index} className="border-b border-line py-2.5 last:border-0">
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {mention.text}
            </p>
            <p className="mt-1 flex flex-wrap gap-x-3 text-small text-muted">
              {mention.author ? <span dir="auto">{mention.author}</span> : null}
              <span>{saidText(mention)}</span>
              <OutsideLink address={mention.link} className="rounded-small text-accent hover:underline">
                Open the message
              </OutsideLink>
              {mention.insights.map(({ issue_number, issue_name }) => (
                <Link
                  key={issue_number}
                  to={`/insights?issue=${issue_number}`}
                  className="max-w-full truncate rounded-small text-accent hover:underline"
                >
                  #{issue_number} <span dir="auto">{issue_name}</span>
                </Link>
              ))}
            </p>
          </li>
        ))}
      </ol>
      {feedback.hasNextPage ? (
        <Button
          className="mt-2 w-full"
          busy={feedback.isFetchingNextPage}
          onClick={() => void feedback.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </section>
  )
}
