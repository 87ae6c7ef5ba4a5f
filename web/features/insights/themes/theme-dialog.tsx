import type { Theme } from '@groundswell/contract/insights/themes.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Input } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { Target } from './theme-actions.ts'

type ThemeDialogProps = {
  insight: Insight
  themes: readonly Theme[]
  onClose: () => void
  onChoose: (to: Target) => void
}

/** Asks to which theme an insight is moved: one of those, a new one, or none. */
export function ThemeDialog({ insight, themes, onClose, onChoose }: ThemeDialogProps) {
  const [typed, setTyped] = useState('')
  const words = typed.trim()
  const here = themes.find((theme) => theme.issue_numbers.includes(insight.issue_number))
  const found = themes.filter((theme) => theme !== here && isLike(theme.name, words))
  const isKnown = themes.some((theme) => theme.name.toLowerCase() === words.toLowerCase())
  const choices: { label: string; note: string; to: Target }[] = [
    ...found.map(({ theme_id, name, issue_numbers }) => ({
      label: name,
      note: insightsText(issue_numbers.length),
      to: { id: theme_id, name },
    })),
    ...(words !== '' && !isKnown ? [{ label: `New theme “${words}”`, note: '', to: { newName: words } }] : []),
    ...(here && words === '' ? [{ label: 'No theme', note: `Leave ${here.name}`, to: null }] : []),
  ]
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Move to theme" description={insight.issue_name}>
      <Form
        className="flex flex-col gap-2"
        onSubmit={async () => {
          const [first] = choices
          if (first && words !== '') onChoose(first.to)
        }}
      >
        <Input
          data-begins
          aria-label="Search themes, or name a new one"
          placeholder="Search, or name a new theme"
          maxLength={80}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <ul aria-label="Themes" className="max-h-64 overflow-y-auto rounded border border-line">
          {choices.map(({ label, note, to }) => (
            <li key={label}>
              <button
                type="button"
                onClick={() => onChoose(to)}
                className="flex min-h-11 w-full items-center justify-between gap-3 px-3 text-left hover:bg-hover"
              >
                <span dir="auto" className="min-w-0 truncate font-medium">
                  {label}
                </span>
                <span className="shrink-0 text-small text-muted tabular-nums">{note}</span>
              </button>
            </li>
          ))}
          {choices.length === 0 ? <li className="px-3 py-2 text-muted">No other theme. Name a new one.</li> : null}
        </ul>
      </Form>
    </Dialog>
  )
}

/** `1 insight`, `3 insights`. */
export function insightsText(count: number): string {
  return `${count} ${count === 1 ? 'insight' : 'insights'}`
}

function isLike(name: string, words: string): boolean {
  return name.toLowerCase().includes(words.toLowerCase())
}
