import { azure } from './azure/index.ts'
import { clickup } from './clickup/index.ts'
import type { Connector } from './connector.ts'
import { file } from './file/index.ts'
import { github } from './github/index.ts'
import { helpscout } from './helpscout/index.ts'
import { intercom } from './intercom/index.ts'
import { jira } from './jira/index.ts'
import { posterConnector } from './kit/poster-connector.ts'
import { linear } from './linear/index.ts'
import { slack } from './slack/index.ts'
import { teams } from './teams/index.ts'
import { webhook } from './webhook/index.ts'
import { zendesk } from './zendesk/index.ts'

/** Every connector of the product, in the order of their tiles. A new one takes an import and a line here. */
export const connectors: readonly Connector[] = [
  slack,
  teams,
  intercom,
  helpscout,
  zendesk,
  file,
  webhook,
  azure,
  linear,
  github,
  jira,
  clickup,
]

/** The second sign-ins of the connectors that can post. They have no tile, so that they are not in `connectors`. */
export const posters: readonly Connector[] = connectors.flatMap((connector) => posterConnector(connector) ?? [])

const byId = new Map([...connectors, ...posters].map((connector) => [connector.manifest.id, connector]))

/** The connector whose folder has this name, or the second sign-in of one (`{id}-post`), or undefined. */
export function connectorById(id: string): Connector | undefined {
  return byId.get(id)
}

/** The second sign-in of a connector, or undefined where it cannot post. */
export function posterOf(id: string): Connector | undefined {
  return posters.find(({ postsFor }) => postsFor === id)
}
