import type { EmbeddingModel, EmbeddingState } from '@groundswell/contract/embeddings.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import { budgetText, WORDS_ALONE, whereText } from './embedding-words.ts'

type EmbeddingChoicesProps = {
  state: EmbeddingState
  canSwitch: boolean
  busy: boolean
  onBegin: (to: 'offered' | 'words') => void
}

const PROVIDERS: readonly { provider: EmbeddingModel['provider']; title: string; how: string }[] = [
  {
    provider: 'openai-compatible',
    title: 'OpenAI-compatible endpoint',
    how: 'Not set up. Start the server with EMBEDDINGS_URL and EMBEDDINGS_MODEL.',
  },
  {
    provider: 'local',
    title: 'Local model',
    how: 'Not set up. Start the server with EMBEDDINGS_PROVIDER=local and EMBEDDINGS_MODEL.',
  },
]

/** The three ways to compare feedback, which of them is in use, and the button that prepares another. */
export function EmbeddingChoices({ state, canSwitch, busy, onBegin }: EmbeddingChoicesProps) {
  const { offered, using, ready, budget } = state
  const begin = (to: 'offered' | 'words', words: string, rest: string) =>
    canSwitch ? (
      <Button busy={busy} onClick={() => onBegin(to)}>
        {words}
        <span className="sr-only"> {rest}</span>
      </Button>
    ) : null
  return (
    <>
      <Way
        title={WORDS_ALONE}
        inUse={using === null}
        action={using === null ? null : begin('words', 'Prepare switch', `to ${WORDS_ALONE.toLowerCase()}`)}
      >
        Built in: no model, no cost, and no data is sent anywhere.
      </Way>
      {PROVIDERS.map(({ provider, title, how }) => {
        const model = offered?.provider === provider ? offered : null
        if (!model) {
          return (
            <Way key={provider} title={title} away>
              {how}
            </Way>
          )
        }
        const inUse = ready && using === model.model
        return (
          <Way
            key={provider}
            title={title}
            inUse={inUse}
            action={
              inUse
                ? begin('offered', 'Group again', `with ${model.model}`)
                : begin('offered', 'Prepare switch', `to ${model.model}`)
            }
          >
            <b className="font-medium break-words text-text">{model.model}</b>
            <span className="block">{whereText(model)}</span>
            {budget ? <span className="block tabular-nums">{budgetText(budget)}</span> : null}
          </Way>
        )
      })}
    </>
  )
}

type WayProps = { title: string; inUse?: boolean; away?: boolean; action?: ReactNode; children: ReactNode }

function Way({ title, inUse = false, away = false, action, children }: WayProps) {
  return (
    <SettingRow
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span className={away ? 'text-muted' : undefined}>{title}</span>
          {inUse ? <Badge tone="accent">In use</Badge> : null}
        </span>
      }
      actions={action}
    >
      {children}
    </SettingRow>
  )
}
