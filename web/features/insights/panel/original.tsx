import { useEffect, useRef } from 'react'
import { useConversation } from './conversation-query.ts'

/** What the message of a mention was written in, as text: HTML from outside is never rendered. */
export function Original({ issueNumber, mentionId }: { issueNumber: number; mentionId: string }) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const { data, error, isPending, refetch } = useConversation(issueNumber, mentionId)
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Original"
      className="mt-2 max-h-80 overflow-y-auto rounded border border-line bg-canvas px-3 py-2"
    >
      {data ? (
        <pre dir="auto" className="font-mono text-small break-words whitespace-pre-wrap">
          {data.messages.find(({ here }) => here)?.original ?? 'The original is no longer there.'}
        </pre>
      ) : isPending ? (
        <div className="skeleton h-16" role="status" aria-label="Loading" />
      ) : (
        <p role="alert" className="text-bad">
          The original could not be loaded. {error.message}{' '}
          <button type="button" onClick={() => void refetch()} className="rounded-small text-accent hover:underline">
            Try again
          </button>
        </p>
      )}
    </section>
  )
}
