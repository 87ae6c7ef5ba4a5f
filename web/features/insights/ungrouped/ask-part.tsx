import { type Answer, askFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { useMutation } from '@tanstack/react-query'
import { MessageCircleQuestionMark } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Input } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { call } from '../../client/index.ts'
import { FoundList } from './found-list.tsx'
import { type FoundFilter, restrictions } from './found-query.ts'
import { MEANING_WORDS } from './meaning-words.ts'

/** The server's maximum length of a question. */
const MAX_QUESTION_LENGTH = 300
const ANCHOR = 'feedback-'

/** Questions that every company has. */
const EXAMPLES = ['What is asked for most often?', 'What do customers like?', 'What makes customers leave?'] as const

type AskPartProps = {
  filter: Omit<FoundFilter, 'words' | 'meaning'>
  /** What was searched for: the start of a question. */
  words: string
}

/** Asks a question about the feedback that passes the filters, and shows the answer above the messages that it is from. */
export function AskPart({ filter, words }: AskPartProps) {
  const [asked, setAsked] = useState('')
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.focus(), [])
  const ask = useMutation({
    mutationFn: (question: string) => call(askFeedback, { body: { question, ...restrictions(filter) } }),
  })
  const onSubmit = (event: SendEvent) => {
    const question = formText(new FormData(event.currentTarget), 'question').trim()
    if (question === '') return
    setAsked(question)
    return ask.mutateAsync(question).catch(() => undefined)
  }
  const askExample = (question: string) => {
    if (box.current) box.current.value = question
    setAsked(question)
    ask.mutate(question)
  }
  return (
    <>
      <Form aria-label="Ask a question" className="mb-3 flex gap-2" onSubmit={onSubmit}>
        <Input
          name="question"
          aria-label="Question"
          placeholder="What do customers say about exports?"
          maxLength={MAX_QUESTION_LENGTH}
          defaultValue={words}
          ref={box}
        />
        <Button type="submit" look="primary" busy={ask.isPending}>
          Ask
        </Button>
      </Form>
      {ask.isPending ? (
        <div className="skeleton h-24" role="status" aria-label="Looking for an answer" />
      ) : ask.isError ? (
        <EmptyState
          title="The question was not answered"
          actions={<Button onClick={() => ask.mutate(asked)}>Try again</Button>}
        >
          {ask.error.message}
        </EmptyState>
      ) : ask.data ? (
        <Answered answer={ask.data} />
      ) : (
        <EmptyState
          icon={<MessageCircleQuestionMark size={24} aria-hidden />}
          title="Ask about your feedback"
          actions={EXAMPLES.map((question) => (
            <Button key={question} onClick={() => askExample(question)}>
              {question}
            </Button>
          ))}
        >
          Answers consist of sentences that quote your feedback. The filters above apply.
        </EmptyState>
      )}
    </>
  )
}

function Answered({ answer }: { answer: Answer }) {
  const { outcome, feedback, meaning } = answer
  return (
    <>
      <section aria-label="Answer" className="mb-3 rounded border border-line bg-surface px-4 py-3">
        <div role="status">
          {outcome === 'answered' ? <Sentences sentences={answer.sentences} /> : <NoAnswer answer={answer} />}
        </div>
        {answer.model === null ? null : <p className="mt-3 text-small text-muted tabular-nums">{costText(answer)}</p>}
      </section>
      {MEANING_WORDS[meaning] ? <p className="mb-3 text-small text-muted">{MEANING_WORDS[meaning]}</p> : null}
      {feedback.length > 0 ? <FoundList label="Feedback found" feedback={feedback} anchor={ANCHOR} /> : null}
    </>
  )
}

function Sentences({ sentences }: Pick<Answer, 'sentences'>) {
  return (
    <ul className="flex flex-col gap-3">
      {sentences.map(({ text, quotes }, at) => (
        <li key={at}>
          <p dir="auto">{text}</p>
          {quotes.map(({ feedback, quote }, index) => (
            <p key={index} className="mt-1 border-l-2 border-line pl-2 text-small text-muted">
              <q dir="auto" className="break-words">
                {quote}
              </q>{' '}
              <a href={`#${ANCHOR}${feedback + 1}`} className="rounded-small text-accent underline">
                message {feedback + 1}
              </a>
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

function NoAnswer({ answer: { outcome, problem, feedback } }: { answer: Answer }) {
  const below = feedback.length > 0 ? 'The best-matching messages are below.' : 'No messages match the question.'
  const told: Record<Exclude<Answer['outcome'], 'answered'>, [title: string, text: ReactNode]> = {
    nothing: ['No answer in the feedback found', below],
    failed: ['No answer', `${problem ?? ''} ${below}`],
    no_model: [
      'No language model is set up',
      <>
        {below} To get answers, set <code>LLM_URL</code> and <code>LLM_MODEL</code> on the server, as described in the
        documentation on language models.
      </>,
    ],
  }
  const [title, text] = told[outcome === 'answered' ? 'nothing' : outcome]
  return (
    <>
      <h2 className="font-medium">{title}</h2>
      <p className="mt-1 text-muted">{text}</p>
    </>
  )
}

const counts = new Intl.NumberFormat()

/** What the answer took: `By small · 1,200 tokens · 12,000 of 200,000 used today on this server`. */
function costText({ model, tokens, budget }: Answer): string {
  const parts = [
    `By ${model}`,
    ...(tokens === null ? [] : [`${counts.format(tokens)} tokens`]),
    ...(budget ? [`${counts.format(budget.used)} of ${counts.format(budget.per_day)} used today on this server`] : []),
  ]
  return parts.join(' · ')
}
