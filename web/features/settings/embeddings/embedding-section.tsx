import type { EmbeddingState } from '@groundswell/contract/embeddings.ts'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatMoment } from '../../../ui/moment.ts'
import { Section } from '../../../ui/page.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { SettingCard, SettingCardSkeleton, SettingRow } from '../../../ui/setting-row.tsx'
import { useUserData } from '../../accounts/index.ts'
import { EmbeddingChoices } from './embedding-choices.tsx'
import { type EmbeddingStep, useEmbeddingStep, useEmbeddings } from './embedding-queries.ts'
import { EmbeddingSwitchCard } from './embedding-switch-card.tsx'
import { isUnderWay, pauseText, textsText, WORDS_ALONE, waitingText } from './embedding-words.ts'

/**
 * What feedback is compared by: words alone, or also an embedding model. A switch is prepared, previewed, and then applied or
 * discarded. Nothing on a server without embeddings.
 */
export function EmbeddingSection() {
  const state = useEmbeddings()
  if (state.data === null) return null
  return (
    <Section
      title="Embeddings"
      lead="A model can tell that two sentences mean the same even if they share no words. Grouping works without one."
    >
      {state.data ? (
        <Choice state={state.data} />
      ) : state.isPending ? (
        <SettingCardSkeleton label="Embeddings are loading" rows={3} />
      ) : (
        <SettingCard>
          <SettingRow
            title="Embeddings could not be loaded"
            actions={
              <Button busy={state.isFetching} onClick={() => void state.refetch()}>
                Try again
              </Button>
            }
          >
            {state.error?.message}
          </SettingRow>
        </SettingCard>
      )}
    </Section>
  )
}

function Choice({ state }: { state: EmbeddingState }) {
  const box = useRef<HTMLDivElement>(null)
  const step = useEmbeddingStep()
  const isAdmin = useUserData()?.is_admin === true
  const current = state.switch
  const take = (asked: EmbeddingStep) => {
    // The pressed button may disappear: the focus stays in this section.
    box.current?.focus()
    step.mutate(asked)
  }
  return (
    <div ref={box} tabIndex={-1} aria-label="Embeddings" role="group" className="flex flex-col gap-3 rounded-large">
      <SettingCard>
        <EmbeddingChoices
          state={state}
          canSwitch={isAdmin && !(current && isUnderWay(current))}
          busy={step.isPending}
          onBegin={(to) => take({ step: 'begin', to })}
        />
        <Health state={state} />
      </SettingCard>
      {current ? (
        <EmbeddingSwitchCard
          current={current}
          shownElsewhere={state.problem?.what}
          isAdmin={isAdmin}
          busy={step.isPending}
          onStep={take}
        />
      ) : null}
      {isAdmin ? null : <p className="text-small text-muted">Only administrators can switch.</p>}
    </div>
  )
}

/** The problems of the model, and its progress with the stored feedback. Nothing when all is well. */
function Health({ state }: { state: EmbeddingState }) {
  const { using, ready, other_since, embedded, statements, budget, problem } = state
  const gathers = state.switch?.state === 'gathering' ? state.switch : null
  const missing = gathers ?? (ready ? state : { embedded: 0, statements: 0 })
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
              using === null ? '' : 'Meanwhile, new texts are compared by their words.',
            ].join(' ')}
          </p>
        </Line>
      ) : null}
      {budget?.spent ? (
        <Line>
          <p className="text-warn">The day’s budget for embeddings is used up.</p>
          <p className="text-small text-muted tabular-nums">
            {waitingText(missing.statements - missing.embedded)}
            {using === null ? '' : ' Meanwhile, new texts are compared by their words.'}
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
      {using !== null && !ready && !other_since ? (
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
            {textsText(embedded, statements)} embedded. The rest is compared by its words until then.
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
