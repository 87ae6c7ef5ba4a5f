import { randomUUID } from 'node:crypto'
import type { LlmSettings } from '../../platform/config/config.ts'
import { dayOf } from '../../platform/day.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { checkReply, type Refusal, Reply, refusals } from './check-reply.ts'
import type { Evidence } from './evidence.ts'
import { ModelFailure } from './failure.ts'
import { writeMessage } from './prompt.ts'
import { type Ask, mostTokens, type Question } from './provider.ts'
import { correctTokens, reserveTokens } from './store.ts'

/** All that asking takes beside the question. */
export type Model = { services: Services; workspaceId: string; ask: Ask; instructions: string; tokensPerDay: number }

/** `spent`: the day's budget does not allow another call. */
export type Asked =
  | { kind: 'answer'; name: string; summary: string; tokens: number }
  | { kind: 'refused'; refusal: Refusal; tokens: number }
  | { kind: 'spent' }

const TRIES = 2

/**
 * Asks for a name and a summary, and once more with the reason when the answer cannot be taken. Every call is paid out of the
 * day's budget before it is made. Throws `ModelFailure` when there is no answer.
 */
export async function askAbout(
  model: Model,
  evidence: Evidence,
  taken: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Asked> {
  let refusal: Refusal | null = null
  let tokens = 0
  for (let tried = 0; tried < TRIES; tried++) {
    const complaint = refusal ? refusals[refusal] : undefined
    const message = writeMessage(evidence, randomUUID(), complaint)
    const answer = await callPaid(model, { instructions: model.instructions, message, schema: Reply }, signal)
    if (!answer) return { kind: 'spent' }
    tokens += answer.tokens
    const verdict = checkReply(answer.text, evidence, taken)
    if (verdict.ok) return { kind: 'answer', name: verdict.name, summary: verdict.summary, tokens }
    refusal = verdict.refusal
  }
  return { kind: 'refused', refusal: refusal ?? 'form', tokens }
}

/**
 * One call. The most that it can use is reserved first and corrected after; of a call that broke off nobody knows what it
 * has used, so its reservation stays. Null when the budget does not allow it.
 */
export async function callPaid(
  { services, workspaceId, ask, tokensPerDay }: Omit<Model, 'instructions'>,
  question: Question,
  signal: AbortSignal,
): Promise<{ text: string; tokens: number } | null> {
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const day = dayOf(services.now())
  const reserved = mostTokens(question)
  if (!(await inside((tx) => reserveTokens(tx, workspaceId, day, reserved, tokensPerDay)))) return null
  try {
    const answer = await ask(question, signal)
    const tokens = answer.tokens ?? reserved
    await inside((tx) => correctTokens(tx, workspaceId, day, tokens - reserved))
    return { text: answer.text, tokens }
  } catch (error) {
    if (error instanceof ModelFailure && !error.charged) {
      await inside((tx) => correctTokens(tx, workspaceId, day, -reserved))
    }
    throw error
  }
}

/** What may be used in a day for anything but names: nothing of the second half. */
export function shareOf({ tokensPerDay }: Pick<LlmSettings, 'tokensPerDay'>): number {
  return Math.floor(tokensPerDay / 2)
}
