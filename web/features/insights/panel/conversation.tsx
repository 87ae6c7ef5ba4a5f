import type { ThreadMessage } from '@groundswell/contract/insights/thread.ts'
import clsx from 'clsx'
import { ExternalLink, Paperclip } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { OutsideLink } from '../../../ui/outside-link.tsx'
import { SaidTime } from '../../../ui/text/said-time.tsx'
import { useConversation } from './conversation-query.ts'

type ConversationProps = { issueNumber: number; mentionId: string }

/** The conversation around a mention: what its customer and the own team wrote before and after it. */
export function Conversation({ issueNumber, mentionId }: ConversationProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const { data, error, isPending, refetch } = useConversation(issueNumber, mentionId)
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Conversation"
      className="mt-2 flex flex-col gap-3 rounded border border-line bg-canvas px-3 py-2"
    >
      {data ? (
        <>
          {data.attributes.length > 0 ? (
            <dl className="flex flex-wrap gap-x-4 gap-y-1 text-small">
              {data.attributes.map(({ name, value }) => (
                <div key={name} className="flex min-w-0 gap-1">
                  <dt className="shrink-0 text-muted">{name}</dt>
                  <dd dir="auto" className="min-w-0 break-words">
                    {value}
                  </dd>
                </div>
              ))}
            </dl>
          ) : null}
          {data.earlier ? <p className="text-small text-muted">Earlier messages are at the source.</p> : null}
          <ol className="flex flex-col gap-3">
            {data.messages.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is loaded once and never reordered
              <Message key={index} message={message} />
            ))}
          </ol>
          {data.later ? <p className="text-small text-muted">Later messages are at the source.</p> : null}
        </>
      ) : isPending ? (
        <div className="skeleton h-16" role="status" aria-label="Loading" />
      ) : (
        <p role="alert" className="text-bad">
          The conversation could not be loaded. {error.message}{' '}
          <button type="button" onClick={() => void refetch()} className="rounded-small text-accent hover:underline">
            Try again
          </button>
        </p>
      )}
    </section>
  )
}

function Message({ message }: { message: ThreadMessage }) {
  const { role, text, author, link, attachments, here } = message
  return (
    <li className={clsx('border-l-2 pl-3', here ? 'border-accent' : 'border-line')} aria-current={here || undefined}>
      <div className="flex flex-wrap items-center gap-x-2 text-small text-muted">
        <span dir="auto" className="max-w-60 truncate font-medium text-text">
          {author || (role === 'agent' ? 'Your team' : 'Unknown author')}
        </span>
        {role === 'agent' ? <span>your team</span> : null}
        <SaidTime said={message} />
        <OutsideLink
          address={link}
          className="inline-flex items-center gap-1 rounded-small text-accent hover:underline"
        >
          Open
          <ExternalLink size={12} aria-hidden />
          <span className="sr-only">this message in a new tab</span>
        </OutsideLink>
      </div>
      <p dir="auto" className={clsx('break-words whitespace-pre-wrap', role === 'agent' ? 'text-muted' : 'text-text')}>
        {text}
      </p>
      {attachments.length > 0 ? (
        <p className="flex items-center gap-1 text-small text-muted">
          <Paperclip size={12} aria-hidden />
          <span className="sr-only">Attached:</span>
          <span dir="auto" className="min-w-0 break-words">
            {attachments.join(', ')}
          </span>
        </p>
      ) : null}
    </li>
  )
}
