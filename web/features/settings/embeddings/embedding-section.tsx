import type { EmbeddingState } from '@groundswell/contract/models/embeddings.ts'
import { type ReactNode, useRef } from 'react'
import { Section } from '../../../ui/page.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { SettingNotLoaded } from '../../../ui/setting-not-loaded.tsx'
import { SettingCard } from '../../../ui/setting-row.tsx'
import { formatMoment } from '../../../ui/text/moment.ts'
import { useUserData } from '../../accounts/index.ts'
import { EmbeddingChoices } from './embedding-choices.tsx'
import { type EmbeddingStep, useEmbeddingStep, useEmbeddings } from './embedding-queries.ts'
import { EmbeddingSwitchCard } from './embedding-switch-card.tsx'
import { isOpen, pauseText, progressText, WORDS_ALONE, waitingText } from './embedding-text.ts'

/**
 * How feedback is compared: by words alone, or also by an embedding model. A switch is prepared, previewed, and then applied
 * or discarded. Nothing on a server without embeddings.
 */
export function EmbeddingSection() {
  const state = useEmbeddings()
  if (state.data === null) return null
  return (
    <Section
      title="Grouping by meaning (embeddings)"
      lead="A model turns each sentence into numbers, an embedding, so that sentences that mean the same are found even if they share no words. Grouping works without one."
    >
      {state.data ? (
        <Choice state={state.data} />
      ) : (
        <SettingNotLoaded
          query={state}
          loading="Embeddings are loading"
          failed="Embeddings could not be loaded"
          rows={3}
        />
      )}
    </Section>
  )
}

function Choice({ state }: { state: EmbeddingState }) {
  const box = useRef<HTMLDivElement>(null)
  const step = useEmbeddingStep()
  const isAdmin = useUserData()?.is_admin === true
  const current = state.switch
  const take = (next: EmbeddingStep) => {
    // The pressed button may disappear: keep the focus in this section.
    box.current?.focus()
    step.mutate(next)
  }
  return (
    <div ref={box} tabIndex={-1} aria-label="Embeddings" role="group" className="flex flex-col gap-3 rounded-large">
      <SettingCard>
        <EmbeddingChoices
          state={state}
          canSwitch={isAdmin && !(current && isOpen(current))}
          busy={step.isPending}
          onBegin={(to) => take({ step: 'begin', to })}
        />
        <Health state={state} />
      </SettingCard>
      {current ? (
        <EmbeddingSwitchCard
          current={current}
          shownProblem={state.problem?.what}
          isAdmin={isAdmin}
          busy={step.isPending}
          onStep={take}
        />
      ) : null}
      {isAdmin ? null : <p className="text-small text-muted">Only administrators can switch.</p>}
    </div>
  )
}

/** Problems of the model, and its progress. Nothing when all is well. */
function Health({ state }: { state: EmbeddingState }) {
  const { using, using_builtin: usesBuiltin, ready, other_since, embedded, statements, budget, problem } = state
  const usesOffered = using !== null && !usesBuiltin
  const gathering = state.switch?.state === 'gathering' ? state.switch : null
  const missing = gathering ?? (ready && usesOffered ? state : { embedded: 0, statements: 0 })
  return (
    <>
      {problem ? (
        <Line>
          <p role="alert" className="text-warn">
            {problem.what}
          </p>
          <p className="text-small text-muted">
            {[
              `Since ${formatMoment(problem.since)}.`,
              pauseText(problem.paused_until),
              usesOffered ? 'Meanwhile, new texts are compared by their words.' : '',
            ].join(' ')}
          </p>
        </Line>
      ) : null}
      {budget?.spent ? (
        <Line>
          <p className="text-warn">The day’s budget for embeddings is used up.</p>
          <p className="text-small text-muted tabular-nums">
            {waitingText(missing.statements - missing.embedded)}
            {usesOffered ? ' Meanwhile, new texts are compared by their words.' : ''}
          </p>
        </Line>
      ) : null}
      {other_since ? (
        <Line>
          <p role="alert" className="text-warn">
            <b className="font-medium break-words">{using}</b> returns different vectors than before: this name now
            refers to another model. Its vectors are not mixed with earlier ones.
          </p>
          <p className="text-small text-muted">
            Since {formatMoment(other_since)} new texts are compared by their words. Prepare the switch to {using} as it
            is now, or to {WORDS_ALONE.toLowerCase()}.
          </p>
        </Line>
      ) : null}
      {usesBuiltin && !ready ? (
        <Line>
          <p className="text-warn">
            {state.builtin ? 'The built-in model was updated' : 'The built-in model is switched off'}, so only words are
            compared.
          </p>
          <p className="text-small text-muted">Prepare a switch to group with a model again.</p>
        </Line>
      ) : null}
      {usesOffered && !ready && !other_since ? (
        <Line>
          <p className="text-warn">
            <b className="font-medium break-words">{using}</b> is no longer offered by this server, so only words are
            compared.
          </p>
          <p className="text-small text-muted">
            Its vectors are kept. Offer it again, or switch to {WORDS_ALONE.toLowerCase()} or to another model.
          </p>
        </Line>
      ) : null}
      {using !== null && ready && embedded < statements ? (
        <Line>
          <p className="mb-1.5 text-muted tabular-nums">
            {progressText(embedded, statements)} embedded. The rest is compared by its words until then.
          </p>
          <Progress label="Texts embedded" value={embedded} total={statements} />
        </Line>
      ) : null}
    </>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <div className="border-b border-line px-5 py-3 last:border-0">{children}</div>
}
