import type { TileName } from '@groundswell/contract/tiles.ts'
import type { ComponentType } from 'react'
import { AzureLogo } from './logos/azure.tsx'
import { ClickupLogo } from './logos/clickup.tsx'
import { GithubLogo } from './logos/github.tsx'
import { HelpscoutLogo } from './logos/helpscout.tsx'
import { IntercomLogo } from './logos/intercom.tsx'
import { JiraLogo } from './logos/jira.tsx'
import { LinearLogo } from './logos/linear.tsx'
import { SlackLogo } from './logos/slack.tsx'
import { TeamsLogo } from './logos/teams.tsx'
import { WebhookLogo } from './logos/webhook.tsx'
import { ZendeskLogo } from './logos/zendesk.tsx'

const logos: Record<TileName, ComponentType> = {
  slack: SlackLogo,
  teams: TeamsLogo,
  intercom: IntercomLogo,
  helpscout: HelpscoutLogo,
  zendesk: ZendeskLogo,
  webhook: WebhookLogo,
  azure: AzureLogo,
  linear: LinearLogo,
  github: GithubLogo,
  jira: JiraLogo,
  clickup: ClickupLogo,
}

/** A tile's logo on a light ground in both themes, for the brands' own colours. */
export function TileLogo({ tile }: { tile: TileName }) {
  const Logo = logos[tile]
  return (
    <span className="flex size-10 shrink-0 items-center justify-center rounded border border-line bg-[#fff] [&>svg]:size-6">
      <Logo />
    </span>
  )
}

/** The same as small as a word; nothing for what is no tile. */
export function TileMark({ tile }: { tile: string }) {
  const Logo = tile in logos ? logos[tile as TileName] : null
  return Logo ? (
    <span
      aria-hidden
      className="inline-flex size-4 shrink-0 items-center justify-center rounded-small bg-[#fff] [&>svg]:size-3.5"
    >
      <Logo />
    </span>
  ) : null
}
