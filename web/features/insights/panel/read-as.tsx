import { readAgain } from '@groundswell/contract/reading.ts'
import { useMutation } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'

type ReadAsProps = {
  /** What the language model read, in English. */
  point: string
  /** Whose message can be read again; absent: not by this person. */
  mentionId: string | undefined
}

/** What a mention was read as before it was grouped. It is no evidence: that is what the customer wrote. */
export function ReadAs({ point, mentionId }: ReadAsProps) {
  const again = useMutation({
    mutationFn: (mention: string) => call(readAgain, { body: { mention } }),
    onSuccess: () => toast({ title: 'The message will be read again' }),
    onError: (error) => toast({ title: 'Not read again', description: error.message, tone: 'destructive' }),
  })
  return (
    <p className="mt-1 text-small text-muted">
      Read as “<span lang="en">{point}</span>” (in English)
      {mentionId === undefined ? null : (
        <button
          type="button"
          disabled={again.isPending || again.isSuccess}
          onClick={() => again.mutate(mentionId)}
          className="ml-3 rounded-small text-accent hover:underline disabled:text-muted disabled:no-underline"
        >
          {again.isSuccess ? 'Waits to be read' : 'Read again'}
        </button>
      )}
    </p>
  )
}
