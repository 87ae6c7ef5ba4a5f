import { createHash } from 'node:crypto'
import path from 'node:path'
import { type Grouping, groupingOf, type SentenceEncoder, type SplitItem } from '@groundswell/engine/index.ts'
import { z } from 'zod'
import type { LlmSettings } from '../../../platform/config/model-settings.ts'
import type { Encode } from '../encoder.ts'
import { type CallModel, maxTokensOf, openModel, type Prompt, type Sampling } from '../language-model.ts'
import { parseReply } from '../parse-reply.ts'
import { readInstructions } from '../prompt.ts'
import { estimateReading } from '../try/count-tokens.ts'
import { readGroupReview } from '../try/try-reading.ts'
import { writeWindow } from './shown-window.ts'

const MAX_ANSWER_TOKENS = 8_000
/** A usual answer, and a usual grade with its reason, for estimates. */
const USUAL_ANSWER_TOKENS = 1_000
const USUAL_GRADE_TOKENS = 40
const BYTES_PER_TOKEN = 4
/** Reviews take at most about as many tokens as reading. */
const WITH_REVIEWS = 2

const Grades = z.object({
  grades: z.array(
    z.object({ response: z.string(), rubric: z.string(), grade: z.enum(['yes', 'partly', 'no']), reason: z.string() }),
  ),
})
/** What responses are graded by. */
type Rubric = { id: string; text: string }
/** What a judge gave one response by one rubric; both are places in what it was asked about. */
export type JudgeGrade = { response: number; rubric: number; grade: 'yes' | 'partly' | 'no'; reason: string }

/** Changes when the product's instructions to a model about windows change. */
export async function promptFingerprint(): Promise<string> {
  const folders = ['answer', 'judge', '../tasks/readings', '../tasks/reviews']
  const texts = await Promise.all(folders.map((name) => readInstructions(path.resolve(import.meta.dirname, name))))
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
}

/** Calls a language model about a whole window of messages. Its failures are those of `CallModel`. */
export type WindowModel = {
  /** Calls and tokens that `answer`, `read` or `judge` will take, at a usual length of the answer. */
  estimate(
    messages: readonly { text: string }[],
    how:
      | { method: 'answer'; systemPrompt: string }
      | { method: 'read' }
      | { method: 'judge'; responses: readonly object[]; rubrics: readonly Rubric[] },
  ): Promise<{ calls: number; tokens: number }>
  /** One answer to the whole window. Null: the reply is not in the requested form. */
  answer<T>(
    messages: readonly { text: string }[],
    how: { systemPrompt: string; schema: z.ZodType<T>; sampling: Sampling; signal: AbortSignal },
  ): Promise<T[] | null>
  /** Reads each message, groups what was read, and reviews the groups, as the product does. `items`: the messages with what was read. */
  read(
    items: readonly SplitItem[],
    how: {
      sampling: Sampling
      signal: AbortSignal
      encode: Encode
      encodeAll: (texts: readonly string[]) => Promise<SentenceEncoder | null>
    },
  ): Promise<{ grouping: Grouping; items: SplitItem[] }>
  /** Grades responses by rubrics. Null: the reply is not in the requested form, or not about all of them. */
  judge(
    messages: readonly { text: string }[],
    responses: readonly object[],
    rubrics: readonly Rubric[],
    how: { sampling: Sampling; signal: AbortSignal },
  ): Promise<JudgeGrade[] | null>
}

/**
 * The model of these settings. `around` may refuse a call, and sees what it took: tokens as the provider reports, or the most that it can have been.
 * Throws `ProviderMissing`.
 */
export async function openWindowModel(
  settings: LlmSettings,
  around: (maxTokens: number, call: () => Promise<{ tokens: number }>) => Promise<void>,
): Promise<WindowModel> {
  const open = await openModel(settings)
  const call: CallModel = async (prompt, signal) => {
    let reply: Awaited<ReturnType<CallModel>> = { text: '', tokens: null }
    const most = maxTokensOf(prompt)
    await around(most, async () => {
      reply = await open(prompt, signal)
      return { tokens: reply.tokens ?? most }
    })
    return reply
  }
  const instructionsOf = (name: string) => readInstructions(path.join(import.meta.dirname, name))
  const promptOf = async (systemPrompt: string, messages: readonly { text: string }[]) => ({
    instructions: `${systemPrompt}\n\n${await instructionsOf('answer')}`,
    message: writeWindow(messages),
  })
  const judgePromptOf = async (
    messages: readonly { text: string }[],
    responses: readonly object[],
    rubrics: readonly Rubric[],
  ) => ({
    instructions: await instructionsOf('judge'),
    message: writeWindow(messages, {
      rubrics,
      responses: responses.map((response, at) => ({ ...response, id: responseId(at) })),
    }),
  })
  return {
    async estimate(messages, how) {
      if (how.method === 'read') {
        const { calls, tokens } = await estimateReading(messages)
        return { calls: WITH_REVIEWS * calls, tokens: WITH_REVIEWS * tokens }
      }
      const { instructions, message } =
        how.method === 'judge'
          ? await judgePromptOf(messages, how.responses, how.rubrics)
          : await promptOf(how.systemPrompt, messages)
      const sent = Buffer.byteLength(instructions) + Buffer.byteLength(message)
      const reply =
        how.method === 'judge' ? how.responses.length * how.rubrics.length * USUAL_GRADE_TOKENS : USUAL_ANSWER_TOKENS
      return { calls: 1, tokens: Math.round(sent / BYTES_PER_TOKEN) + reply }
    },

    async answer(messages, { systemPrompt, schema: response, sampling, signal }) {
      const schema = z.object({ responses: z.array(response) })
      const prompt: Prompt = {
        ...(await promptOf(systemPrompt, messages)),
        schema,
        sampling,
        maxOutputTokens: MAX_ANSWER_TOKENS,
      }
      return parseReply((await call(prompt, signal)).text, schema)?.responses ?? null
    },

    async read(items, { sampling, ...surroundings }) {
      const sampled: CallModel = (prompt, signal) => call({ ...prompt, sampling }, signal)
      const { state, items: read } = await readGroupReview(items, { ...surroundings, call: sampled })
      return { grouping: groupingOf(state, read), items: read }
    },

    async judge(messages, responses, rubrics, { sampling, signal }) {
      const prompt: Prompt = {
        ...(await judgePromptOf(messages, responses, rubrics)),
        schema: Grades,
        sampling,
        maxOutputTokens: MAX_ANSWER_TOKENS,
      }
      const reply = parseReply((await call(prompt, signal)).text, Grades)
      const found = new Map(reply?.grades.map((one) => [`${one.response} ${one.rubric}`, one]))
      const grades = responses.flatMap((_response, response) =>
        rubrics.flatMap((rubric, at): JudgeGrade[] => {
          const one = found.get(`${responseId(response)} ${rubric.id}`)
          return one ? [{ response, rubric: at, grade: one.grade, reason: one.reason }] : []
        }),
      )
      return grades.length === responses.length * rubrics.length ? grades : null
    },
  }
}

const responseId = (at: number) => `r${at + 1}`
