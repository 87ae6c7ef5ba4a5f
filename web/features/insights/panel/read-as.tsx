import { readAgain } from '@groundswell/contract/feedback/reading.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'

const PointField = lazyPart(async () => (await import('./point-field.tsx')).PointField, {
  waiting: () => <div className="skeleton mt-1 h-24" />,
})

type ReadAsProps = {
  /** What the language model read, in English, or a person in its place. */
  point: string
  corrected: boolean
  /** Which can be corrected, and whose message can be read again; absent: not by this person. */
  mentionId: string | undefined
  /** The insight that it is shown in; null: none. */
  issueNumber: number | null
}

/** A language model's reading of a mention, by which it was grouped. Not evidence: only the customer's own words are. */
export function ReadAs({ point, corrected, mentionId, issueNumber }: ReadAsProps) {
  const [correcting, setCorrecting] = useState(false)
  const again = useMutation({
    mutationFn: (mention: string) => call(readAgain, { body: { mention } }),
    onSuccess: () => toast({ title: 'The message will be read again' }),
    onError: (error) => toast({ title: 'Not read again', description: error.message, tone: 'destructive' }),
  })
  return (
    <>
      <p className="mt-1 flex flex-wrap gap-x-3 text-small text-muted">
        <span>
          Read as “<span lang="en">{point}</span>” {corrected ? '(corrected)' : '(in English)'}
        </span>
        {mentionId === undefined ? null : (
          <button
            type="button"
            data-keeps-panel
            aria-expanded={correcting}
            onClick={() => setCorrecting(!correcting)}
            className="rounded-small text-accent hover:underline"
          >
            Correct<span className="sr-only"> what it is read as</span>
          </button>
        )}
        {mentionId === undefined || corrected ? null : (
          <button
            type="button"
            disabled={again.isPending || again.isSuccess}
            onClick={() => again.mutate(mentionId)}
            className="rounded-small text-accent hover:underline disabled:text-muted disabled:no-underline"
          >
            {again.isSuccess ? 'Waits to be read' : 'Read again'}
          </button>
        )}
      </p>
      {correcting && mentionId !== undefined ? (
        <PointField
          issueNumber={issueNumber}
          mentionId={mentionId}
          point={point}
          corrected={corrected}
          onClose={() => setCorrecting(false)}
        />
      ) : null}
    </>
  )
}
