import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { Badge } from '../../../ui/badge.tsx'
import { wordsOfKind } from './kind-words.ts'

/** What a mention is, or most mentions of an insight. */
export function KindBadge({ kind }: { kind: FeedbackKind }) {
  const { label, tone } = wordsOfKind(kind)
  return <Badge tone={tone}>{label}</Badge>
}
