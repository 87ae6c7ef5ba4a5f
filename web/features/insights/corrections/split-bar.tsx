import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { Button } from '../../../ui/button.tsx'
import { mentionsInWords } from '../mention-words.ts'
import { mentionCount } from '../sort.ts'
import { ChangeList } from './change-list.tsx'
import { previewInWords } from './correction-words.ts'
import { usePreview } from './corrections-query.ts'
import type { Correcting } from './use-correcting.ts'

type SplitBarProps = { insight: Insight; chosen: readonly string[]; correcting: Correcting }

/** While mentions are being picked for an insight of their own: how many are, what that changes, and the button. */
export function SplitBar({ insight, chosen, correcting: { correct, setDraft, busy } }: SplitBarProps) {
  const here = insight.issue_number
  const all = chosen.length >= mentionCount(insight)
  const body: CorrectionRequest | null = chosen.length > 0 && !all ? { kind: 'split', mentions: [...chosen] } : null
  const preview = usePreview(here, body)
  const known = body !== null && preview.data !== undefined
  const split = async () => {
    if (body && (await correct(body))) setDraft(null)
  }
  return (
    <section
      aria-label="Split"
      className="sticky -bottom-4 z-1 -mx-5 flex flex-col gap-2 border-t border-line bg-raised px-5 py-3"
    >
      <p role="status">
        {all
          ? 'Leave at least one mention here.'
          : known
            ? previewInWords(body, here, preview.data)
            : chosen.length === 0
              ? 'Tick the mentions that are about something else.'
              : `${mentionsInWords(chosen.length)} chosen.`}
      </p>
      {known && !preview.isError ? <ChangeList changes={preview.data} /> : null}
      {preview.isError ? (
        <p role="alert" className="text-bad">
          {preview.error.message}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={busy}
          disabled={!known || preview.isPlaceholderData || preview.isError}
          onClick={() => void split()}
        >
          Make them an insight of their own
        </Button>
        <Button onClick={() => setDraft(null)}>Cancel</Button>
      </div>
    </section>
  )
}
