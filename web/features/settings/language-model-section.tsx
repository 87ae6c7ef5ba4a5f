import { getLanguageModel } from '@groundswell/contract/models/language-model.ts'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../ui/page.tsx'
import { SettingCard, SettingCardSkeleton, SettingRow } from '../../ui/setting-row.tsx'
import { CallError, call } from '../client/index.ts'
import { budgetText, estimateText, judgeErrorText } from './language-model-words.ts'
import { ReadingRows } from './reading-rows.tsx'

/** Which language model the server uses, and what it takes before it is asked anything. Nothing on a server without this call. */
export function LanguageModelSection({ mayChoose }: { mayChoose: boolean }) {
  const found = useQuery({ queryKey: ['language-model'], queryFn: () => call(getLanguageModel, {}), retry: false })
  if (found.error instanceof CallError && found.error.status === 404) return null
  return (
    <Section
      title="Language model"
      lead="A model can read messages before they are grouped, review insights, suggest names, judge what is in no insight, divide long messages and answer questions. Grouping works without one."
    >
      {found.data ? (
        <SettingCard>
          <SettingRow title={found.data.model ?? 'Not set up'}>
            <span className="block">
              {found.data.model === null
                ? 'Start the server with LLM_URL, the address of Ollama for example, and LLM_MODEL.'
                : `Switched on. Messages are sent to ${found.data.where}.`}
            </span>
            <span className="block tabular-nums">{estimateText(found.data)}</span>
            <span className="mt-1 block tabular-nums">{budgetText(found.data)}</span>
            <span className="mt-1 block tabular-nums">{judgeErrorText(found.data)}</span>
          </SettingRow>
          {found.data.model === null ? null : <ReadingRows mayChoose={mayChoose} where={found.data.where ?? ''} />}
        </SettingCard>
      ) : found.isPending ? (
        <SettingCardSkeleton label="The language model is loading" rows={1} />
      ) : (
        <SettingCard>
          <SettingRow title="The language model could not be loaded">{found.error.message}</SettingRow>
        </SettingCard>
      )}
    </Section>
  )
}
