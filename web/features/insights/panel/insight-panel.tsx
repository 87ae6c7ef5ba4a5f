import type { Insight } from '@groundswell/contract/insights.ts'
import { Send, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { lazyDialog, lazyExtra, lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { TabPart, Tabs } from '../../../ui/tabs.tsx'
import { useMayEdit } from '../../accounts/index.ts'
import { PreviewDialog } from '../../deliveries/index.ts'
import { useHasExtras } from '../../operations/index.ts'
import { ShareDialog } from '../../shared-links/index.ts'
import { CorrectionProgress } from '../corrections/correction-progress.tsx'
import { InsightMenu } from '../corrections/insight-menu.tsx'
import { useCorrecting } from '../corrections/use-correcting.ts'
import { Activity } from './activity.tsx'
import { useInsightDetail } from './detail-query.ts'
import { EvidenceList } from './evidence-list.tsx'
import { InsightFacts } from './insight-facts.tsx'
import { MentionChart } from './mention-chart.tsx'
import { PeopleAndSources } from './people-and-sources.tsx'
import { TagEditor } from './tag-editor.tsx'
import { useTab } from './use-tab.ts'

const CommentCount = lazyExtra(async () => (await import('../../comments/index.ts')).CommentCount)
const InsightCustomers = lazyExtra(async () => (await import('../../customers/index.ts')).InsightCustomers)

const NameField = lazyPart(async () => (await import('../corrections/name-field.tsx')).NameField)
const MemberSuggestions = lazyExtra(
  async () => (await import('../suggestions/member-suggestions.tsx')).MemberSuggestions,
)
const WhoAsked = lazyPart(async () => (await import('../askers/who-asked.tsx')).WhoAsked)
const TargetDialog = lazyDialog(async () => (await import('../corrections/target-dialog.tsx')).TargetDialog)

type InsightPanelProps = {
  insight: Insight
  insights: readonly Insight[]
  pushing: boolean
  onClose: () => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
  /** Called with the insight while a correction of it is being sent from here, then with null. */
  onHold: (insight: Insight | null) => void
}

/**
 * One insight in the side panel. Actions on the whole insight (merge, split) are beside Push; actions on one mention (move,
 * "not this") beside its link.
 */
export function InsightPanel({ insight, insights, pushing, onClose, onPush, onDelete, onHold }: InsightPanelProps) {
  const version = `${insight.revision ?? insight.last_updated} ${insight.status}`
  const { data: detail, isPending } = useInsightDetail(insight.issue_number, version)
  const mayEdit = useMayEdit()
  const hasExtras = useHasExtras()
  const correcting = useCorrecting(insight.issue_number, version, detail !== undefined && mayEdit)
  const draft = correcting?.draft
  const waiting = correcting?.corrections.find((one) => one.state === 'waiting')
  const busy = correcting?.busy ?? false
  const [previewing, setPreviewing] = useState(false)
  const [asking, setAsking] = useState<number | null>(null)
  const isAsked = asking === insight.issue_number
  const [sharing, setSharing] = useState(false)
  const { tab, choose } = useTab()
  useEffect(() => onHold(busy ? insight : null), [busy, insight, onHold])
  const about = (
    <>
      <p dir="auto" className="text-lead break-words whitespace-pre-line">
        {insight.summary}
      </p>
      <EvidenceList insight={insight} insights={insights} correcting={correcting} detail={detail} onDelete={onDelete}>
        {correcting && (isAsked || insight.team_status === 'shipped') ? (
          <WhoAsked issueNumber={insight.issue_number} version={version} focused={isAsked} />
        ) : null}
        <TagEditor insight={insight} insights={insights} detail={detail} />
        <MentionChart insight={insight} timeline={detail?.timeline} />
        {detail?.customers ? <InsightCustomers customers={detail.customers} /> : null}
        {detail ? <PeopleAndSources detail={detail} /> : isPending ? <div className="skeleton h-24" /> : null}
        {correcting ? (
          <MemberSuggestions issueNumber={insight.issue_number} version={version} correcting={correcting} />
        ) : null}
      </EvidenceList>
    </>
  )
  return (
    <Panel
      open
      onClose={onClose}
      onEscape={correcting?.draft ? () => correcting.setDraft(null) : undefined}
      titleField={
        correcting?.draft?.what === 'rename' ? (
          <NameField insight={insight} setBy={detail?.name_set_by} correcting={correcting} />
        ) : null
      }
      title={insight.issue_name}
      eyebrow={`#${insight.issue_number}`}
      actions={
        <>
          {insight.status === 'created' || pushing ? (
            <Button look="primary" busy={pushing} data-edits onClick={() => onPush(insight)}>
              <Send size={14} aria-hidden />
              {pushing ? 'Pushing…' : 'Push'}
            </Button>
          ) : null}
          {correcting ? (
            <InsightMenu
              insight={insight}
              locked={detail?.locked ?? false}
              correcting={correcting}
              onPreview={() => setPreviewing(true)}
              onWhoAsked={() => setAsking(insight.issue_number)}
              onShare={() => setSharing(true)}
            />
          ) : null}
          <IconButton label="Delete" data-edits onClick={() => onDelete(insight)}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </>
      }
    >
      <div className="flex flex-col gap-5" key={insight.issue_number}>
        <InsightFacts insight={insight} detail={detail} correcting={correcting} />
        {waiting && correcting ? <CorrectionProgress waiting={waiting} followed={correcting.busy} /> : null}
        {hasExtras ? (
          <Tabs
            label="About this insight"
            chosen={tab}
            onChoose={choose}
            tabs={[
              { value: 'insight', label: 'Insight' },
              {
                value: 'activity',
                label: (
                  <>
                    Activity
                    <CommentCount issueNumber={insight.issue_number} />
                  </>
                ),
              },
            ]}
          >
            <TabPart value="insight">{about}</TabPart>
            <TabPart value="activity">
              <Activity issueNumber={insight.issue_number} detail={detail} correcting={correcting} />
            </TabPart>
          </Tabs>
        ) : (
          about
        )}
      </div>
      {previewing ? <PreviewDialog issueNumber={insight.issue_number} onClose={() => setPreviewing(false)} /> : null}
      {sharing ? <ShareDialog issueNumber={insight.issue_number} onClose={() => setSharing(false)} /> : null}
      {correcting && (draft?.what === 'merge' || draft?.what === 'move') ? (
        <TargetDialog
          insight={insight}
          insights={insights}
          moved={draft.what === 'move' ? [draft.mention] : null}
          onClose={() => correcting.setDraft(null)}
          onDo={(body) => {
            correcting.setDraft(null)
            void correcting.correct(body)
          }}
        />
      ) : null}
    </Panel>
  )
}
