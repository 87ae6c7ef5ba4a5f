import type { EmbeddingSwitch } from '@groundswell/contract/models/embeddings.ts'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { formatMoment } from '../../../ui/text/moment.ts'
import type { EmbeddingStep } from './embedding-queries.ts'
import { progressText, WORDS_ALONE } from './embedding-text.ts'
import { SwitchPreviewView } from './switch-preview-view.tsx'

type EmbeddingSwitchCardProps = {
  current: EmbeddingSwitch
  /** The model's problem that the screen already shows: not repeated here. */
  shownProblem: string | undefined
  isAdmin: boolean
  busy: boolean
  onStep: (step: EmbeddingStep) => void
}

/** The newest switch: its progress, what it would change, and what can be done. Nothing once it is discarded. */
export function EmbeddingSwitchCard({ current, shownProblem, isAdmin, busy, onStep }: EmbeddingSwitchCardProps) {
  const { state, switch_id: switchId } = current
  const problem = current.problem === shownProblem ? null : current.problem
  const to = current.to ?? WORDS_ALONE
  const by = `Prepared by ${current.began_by}, ${formatMoment(current.began_at)}.`
  const discard = (label: string) =>
    isAdmin ? (
      <Button busy={busy} onClick={() => onStep({ step: 'discard', switchId })}>
        {label}
      </Button>
    ) : null
  switch (state) {
    case 'gathering':
    case 'grouping':
      return (
        <Card
          title={`Preparing the switch to ${to}`}
          status={
            state === 'gathering'
              ? 'Embedding texts. Your insights have not changed yet.'
              : 'Grouping all texts again to preview the changes. Your insights have not changed yet.'
          }
          note={by}
          actions={discard('Cancel')}
        >
          <Problem problem={problem} />
          {state === 'gathering' ? (
            <div>
              {current.statements > 0 ? (
                <p className="mb-1.5 tabular-nums">{progressText(current.embedded, current.statements)}</p>
              ) : null}
              <Progress label="Texts embedded" value={current.embedded} total={current.statements || null} />
            </div>
          ) : (
            <Progress label="Grouping" value={0} total={null} />
          )}
        </Card>
      )
    case 'ready':
      return (
        <Card
          title={`What the switch to ${to} would change`}
          status="Ready. Nothing has changed yet."
          note={by}
          actions={
            isAdmin ? (
              <>
                <Button look="primary" busy={busy} onClick={() => onStep({ step: 'apply', switchId })}>
                  Apply
                </Button>
                {discard('Discard')}
              </>
            ) : null
          }
        >
          <Problem problem={problem} />
          {current.preview ? <SwitchPreviewView preview={current.preview} /> : null}
        </Card>
      )
    case 'applying':
      return (
        <Card title={`Switching to ${to}`} status="All insights are updated at once, within seconds." note={by}>
          <Progress label="Applying" value={0} total={null} />
        </Card>
      )
    case 'failed':
      return (
        <Card title={`The switch to ${to} failed`} note={by}>
          <p role="alert" className="text-bad">
            {current.problem ?? 'The server gave no reason.'}
          </p>
          <p className="text-muted">Nothing has changed. It can be prepared again.</p>
        </Card>
      )
    case 'applied':
      return (
        <p role="status" className="text-small text-muted">
          Switched to {to}
          {current.ended_at ? ` on ${formatMoment(current.ended_at)}` : ''}. {by}
        </p>
      )
    case 'discarded':
      return null
  }
}

type CardProps = { title: string; status?: string; note: string; actions?: ReactNode; children: ReactNode }

function Card({ title, status, note, actions, children }: CardProps) {
  return (
    <div className="flex flex-col gap-3 rounded-large border border-line bg-surface px-5 py-4">
      <div>
        <h3 className="font-semibold break-words">{title}</h3>
        {status ? (
          <p role="status" className="text-muted">
            {status}
          </p>
        ) : null}
      </div>
      {children}
      <div className="flex flex-wrap items-center gap-2">
        {actions}
        <span className="text-small text-muted">{note}</span>
      </div>
    </div>
  )
}

/** Why the switch waits, or why the preview has to be reviewed again. */
function Problem({ problem }: { problem: string | null }) {
  if (problem === null) return null
  return (
    <p role="alert" className="rounded bg-warn-soft px-3 py-2 text-warn">
      {problem}
    </p>
  )
}
