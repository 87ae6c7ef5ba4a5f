import type { EmbeddingModel, EmbeddingState } from '@groundswell/contract/models/embeddings.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import type { SwitchTarget } from './embedding-queries.ts'
import { budgetText, destinationText, LOCAL, problemText, progressText, WORDS_ALONE } from './embedding-text.ts'

type EmbeddingChoicesProps = {
  state: EmbeddingState
  canSwitch: boolean
  busy: boolean
  onBegin: (to: SwitchTarget) => void
}

const PROVIDERS: readonly { provider: EmbeddingModel['provider']; title: string; setup: string }[] = [
  {
    provider: 'openai-compatible',
    title: 'OpenAI-compatible endpoint',
    setup: 'Not set up. Start the server with EMBEDDINGS_URL, the address of Ollama for example, and EMBEDDINGS_MODEL.',
  },
  {
    provider: 'local',
    title: 'Model folder',
    setup: 'Not set up. Start the server with EMBEDDINGS_PROVIDER=local and EMBEDDINGS_MODEL, the folder of the model.',
  },
]

/** The ways to compare feedback, which of them is in use, and the button that prepares another. */
export function EmbeddingChoices({ state, canSwitch, busy, onBegin }: EmbeddingChoicesProps) {
  const { offered, using, using_builtin: usesBuiltin, ready, budget } = state
  const prepareButton = (to: SwitchTarget, label: string, rest: string) =>
    canSwitch ? (
      <Button busy={busy} onClick={() => onBegin(to)}>
        {label}
        <span className="sr-only"> {rest}</span>
      </Button>
    ) : null
  return (
    <>
      <Way
        title={WORDS_ALONE}
        inUse={using === null}
        action={using === null ? null : prepareButton('words', 'Prepare switch', `to ${WORDS_ALONE.toLowerCase()}`)}
      >
        Built in: no model, no cost, and no data is sent anywhere.
      </Way>
      <BuiltinWay state={state} prepareButton={prepareButton} />
      {PROVIDERS.map(({ provider, title, setup }) => {
        const model = offered?.provider === provider ? offered : null
        if (!model) {
          return (
            <Way key={provider} title={title} away>
              {setup}
            </Way>
          )
        }
        const inUse = ready && !usesBuiltin && using === model.model
        return (
          <Way
            key={provider}
            title={title}
            inUse={inUse}
            action={
              inUse
                ? prepareButton('offered', 'Group again', `with ${model.model}`)
                : prepareButton('offered', 'Prepare switch', `to ${model.model}`)
            }
          >
            <b className="font-medium break-words text-text">{model.model}</b>
            <span className="block">{destinationText(model)}</span>
            {budget ? <span className="block tabular-nums">{budgetText(budget)}</span> : null}
          </Way>
        )
      })}
    </>
  )
}

type BuiltinWayProps = {
  state: EmbeddingState
  prepareButton: (to: SwitchTarget, label: string, rest: string) => ReactNode
}

/** The model that comes with the product: it computes its vectors whether or not they are used for grouping. */
function BuiltinWay({ state: { builtin, using_builtin: usesBuiltin, ready }, prepareButton }: BuiltinWayProps) {
  const title = 'Built-in model'
  if (!builtin) {
    return (
      <Way title={title} away>
        Switched off. Start the server without ENCODER=off.
      </Way>
    )
  }
  const { model, done, total, problem } = builtin
  const inUse = ready && usesBuiltin
  return (
    <Way
      title={title}
      inUse={inUse}
      action={
        inUse
          ? prepareButton('builtin', 'Group again', `with ${model}`)
          : prepareButton('builtin', 'Prepare switch', `to ${model}`)
      }
    >
      <b className="font-medium break-words text-text">{model}</b>
      <span className="block">{LOCAL}</span>
      {inUse || total === 0 ? null : <span className="block tabular-nums">{progressText(done, total)} embedded.</span>}
      {problem ? (
        <span role="alert" className="block break-words text-warn">
          {problemText(problem)}
          {inUse ? ' Meanwhile, new texts are compared by their words.' : ''}
        </span>
      ) : null}
    </Way>
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
