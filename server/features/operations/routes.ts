import { ContractError } from '@groundswell/contract/errors.ts'
import {
  discardDeadJob,
  getHealth,
  getLive,
  getPublicConfig,
  listDeadJobs,
  rerunDeadJob,
} from '@groundswell/contract/operations.ts'
import { authenticate, isLocal, needsFirstAdmin } from '../../auth/index.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { DeadLetter } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { version } from '../../platform/version.ts'
import { readiness } from './readiness.ts'

/** The calls for operating the product: health, the web app's configuration, and failed jobs. */
export function operationRoutes(services: Services): Handler[] {
  return [...stateRoutes(services), ...deadJobRoutes(services)]
}

function stateRoutes(services: Services): Handler[] {
  const { config } = services
  const missing = readiness(services)
  const callerOf = authenticate(services)
  /** Whoever asks, and whatever is wrong with their token, the process is as ready as it is. */
  const isSignedIn = async (token: string | null): Promise<boolean> => {
    if (token === null) return false
    const caller = await callerOf(token).catch((error: unknown) => {
      if (error instanceof ContractError) return null
      throw error
    })
    return caller !== null && !caller.session.needsSecondFactor
  }
  return [
    handle(getLive, async () => ({ live: true as const })),

    handle(getHealth, async ({ request }) => {
      const reason = await missing()
      if (reason !== null) throw new ContractError('not_ready', reason)
      return { ready: true as const, ...((await isSignedIn(request.token)) ? { version } : {}) }
    }),

    handle(getPublicConfig, async ({ request }) => ({
      onboarding_url: config.onboardingUrl ?? null,
      signup: config.signup,
      needs_setup_token: !isLocal(services, request) && (await needsFirstAdmin(services)),
      // A hosted project publishes what it offers.
      google: config.google !== undefined || config.hostedAuth !== undefined,
      mail: config.smtpUrl !== undefined || config.hostedAuth !== undefined,
      ...(config.hostedAuth ? { hosted_auth: { url: config.hostedAuth.url, key: config.hostedAuth.key } } : {}),
      slack_client_id: null,
      chat: config.chat ?? null,
    })),
  ]
}

function deadJobRoutes({ queue }: Services): Handler[] {
  return [
    handle(listDeadJobs, async () => ({ jobs: (await queue.dead.list()).map(viewDead) })),

    handle(rerunDeadJob, async ({ params }) => {
      if (!(await queue.dead.rerun(params.id))) throw new ContractError('not_found', 'There is no such job')
      return { id: params.id }
    }),

    handle(discardDeadJob, async ({ params }) => {
      if (!(await queue.dead.discard(params.id))) throw new ContractError('not_found', 'There is no such job')
      return { id: params.id }
    }),
  ]
}

function viewDead(letter: DeadLetter) {
  const data = letter.data
  return {
    id: letter.id,
    job: letter.job,
    reason: letter.message,
    tries: letter.tries,
    failed_at: letter.diedAt.toISOString(),
    data: typeof data === 'object' && data !== null ? { ...data } : {},
  }
}
