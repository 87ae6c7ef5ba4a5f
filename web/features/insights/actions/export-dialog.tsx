import { exportInsights } from '@groundswell/contract/insights/insight-export.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { saveFile } from '../../../ui/text/save-file.ts'
import { toast } from '../../../ui/toast-store.ts'
import { download } from '../../client/index.ts'

const FORMATS = [
  { format: 'csv', label: 'CSV', what: 'A line for each mention, for spreadsheets.' },
  { format: 'jsonl', label: 'JSONL', what: 'A line for each insight with all its mentions, for programs.' },
] as const

const counts = new Intl.NumberFormat()

type ExportDialogProps = {
  /** The filtered insights, in the order of the table. */
  insights: readonly Insight[]
  /** How many there are without filters. */
  of: number
  onClose: () => void
}

/** Saves the listed insights with all their mentions as a file. */
export function ExportDialog({ insights, of, onClose }: ExportDialogProps) {
  const take = useMutation({
    mutationFn: async (format: (typeof FORMATS)[number]['format']) => {
      const issue_numbers = insights.map((one) => one.issue_number)
      saveFile(`groundswell-insights.${format}`, await download(exportInsights, { body: { format, issue_numbers } }))
    },
    onSuccess: onClose,
    onError: (error) => toast({ title: 'Export failed', description: error.message, tone: 'destructive' }),
  })
  const total = counts.format(insights.length)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Export"
      description={`${
        insights.length === of
          ? `All ${total} insights`
          : `The ${total} of ${counts.format(of)} insights that pass the filters`
      }, with all their mentions.`}
    >
      <ul className="flex flex-col gap-4">
        {FORMATS.map(({ format, label, what }) => (
          <li key={format} className="flex items-center gap-4">
            <p className="min-w-0 flex-1 text-muted">{what}</p>
            <Button
              busy={take.isPending && take.variables === format}
              disabled={take.isPending || insights.length === 0}
              onClick={() => take.mutate(format)}
            >
              {label}
              <span className="sr-only"> export</span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
