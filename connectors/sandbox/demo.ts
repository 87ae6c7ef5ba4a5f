import { startDemo as startAzure } from './azure/demo.ts'
import { startDemo as startClickUp } from './clickup/demo.ts'
import type { CompanyMessage } from './company/company.ts'
import type { DemoProvider, StartDemo } from './demo-provider.ts'
import { startDemo as startGitHub } from './github/demo.ts'
import { startDemo as startHelpScout } from './helpscout/demo.ts'
import { startDemo as startIntercom } from './intercom/demo.ts'
import { startDemo as startJira } from './jira/demo.ts'
import { startDemo as startLinear } from './linear/demo.ts'
import { startDemo as startTeams } from './teams/demo.ts'
import { startDemo as startZendesk } from './zendesk/demo.ts'

/** By the one channel that each holds; the company's others are in Slack. */
const CHATS: Readonly<Record<string, StartDemo>> = { 'support-escalations': startTeams }
/** Each holds a share of the company's tickets. */
const HELPDESKS: readonly StartDemo[] = [startIntercom, startHelpScout, startZendesk]
const TRACKERS: readonly StartDemo[] = [startAzure, startLinear, startGitHub, startJira, startClickUp]

export type DemoProviders = {
  sources: DemoProvider[]
  trackers: DemoProvider[]
  /** Channels that a source here holds, with its way to post to them. */
  posts: ReadonlyMap<string, NonNullable<DemoProvider['post']>>
  /** The tickets that no source here holds. */
  tickets: CompanyMessage[]
}

/** Starts the stand-ins that the demo connects besides Slack, with the company's feedback spread over them. */
export async function startDemoProviders(company: readonly CompanyMessage[]): Promise<DemoProviders> {
  const tickets = company.filter(({ kind }) => kind === 'ticket')
  const share = (part: number) => tickets.filter((_, index) => index % (HELPDESKS.length + 1) === part)
  const chats = await Promise.all(
    Object.entries(CHATS).map(async ([channel, start]) => {
      const provider = await start(company.filter((one) => one.channel === channel))
      return { channel, provider }
    }),
  )
  const helpdesks = await Promise.all(HELPDESKS.map((start, part) => start(share(part))))
  const trackers = await Promise.all(TRACKERS.map((start) => start([])))
  return {
    sources: [...chats.map(({ provider }) => provider), ...helpdesks],
    trackers,
    posts: new Map(chats.flatMap(({ channel, provider }) => (provider.post ? [[channel, provider.post]] : []))),
    tickets: share(HELPDESKS.length),
  }
}
