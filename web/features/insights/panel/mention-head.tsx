import type { Mention } from '@groundswell/contract/insights.ts'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { OutsideLink } from '../../../ui/outside-link.tsx'
import { SaidTime } from '../../../ui/text/said-time.tsx'
import { SourceMark, useConnectorName } from '../../connections/index.ts'
import { isNamed } from '../corrections/use-picking.ts'
import { KindBadge } from '../kinds/kind-badge.tsx'
import { KindMark } from '../kinds/kind-mark.tsx'

type MentionHeadProps = {
  mention: Mention
  withSource: boolean
  /** Its kind can be corrected here. */
  choosesKind: boolean
  /** At the end of the line: the actions of this mention. */
  tools?: ReactNode
}

/** The first line of a mention: its source, author, time, place and kind, and a link to the original. */
export function MentionHead({ mention, withSource, choosesKind, tools }: MentionHeadProps) {
  const connectorName = useConnectorName(withSource && Boolean(mention.source))
  return (
    <div className="flex items-start gap-2 text-small text-muted">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 py-1">
        {withSource && mention.source ? <SourceMark source={mention.source} /> : null}
        <span dir="auto" className="max-w-60 truncate font-medium text-text" title={mention.author ?? undefined}>
          {mention.author || 'Unknown author'}
        </span>
        <SaidTime said={mention} />
        {withSource && mention.source ? (
          <span dir="auto" className="max-w-48 truncate" title={mention.place ?? undefined}>
            {mention.place ?? connectorName(mention.source)}
          </span>
        ) : null}
        {choosesKind && isNamed(mention) ? (
          <KindMark mention={mention} />
        ) : mention.kind ? (
          <span className="-my-0.5 flex">
            <KindBadge kind={mention.kind} />
          </span>
        ) : null}
      </div>
      <span className="inline-flex min-h-6 items-center gap-1">
        <OutsideLink
          address={mention.link}
          className="inline-flex items-center gap-1 rounded-small text-accent hover:underline"
        >
          Open
          <ExternalLink size={12} aria-hidden />
          <span className="sr-only">the original in a new tab</span>
        </OutsideLink>
        {tools}
      </span>
    </div>
  )
}
