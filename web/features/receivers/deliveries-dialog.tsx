import {
  listReceiverDeliveries,
  type Receiver,
  type ReceiverDelivery,
  resendReceiverDelivery,
  testReceiver,
} from '@groundswell/contract/receivers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { isOnItsWay, pollDeliveries } from './poll-deliveries.ts'
import { deliveryInWords, deliveryState, receiverName } from './receiver-words.ts'

/** The last events for a receiver and their outcomes, with a test event and a way to resend. */
export function DeliveriesDialog({ receiver, onClose }: { receiver: Receiver; onClose: () => void }) {
  const client = useQueryClient()
  const { id } = receiver
  const key = ['receiver-deliveries', id]
  const deliveries = useQuery({
    queryKey: key,
    queryFn: () => call(listReceiverDeliveries, { params: { id } }),
    retry: false,
    refetchInterval: ({ state }) => pollDeliveries(state.data?.deliveries ?? []),
  })
  const reload = () => client.invalidateQueries({ queryKey: key })
  const failed = (error: Error) => toast({ title: 'Not sent', description: error.message, tone: 'destructive' })
  const test = useMutation({
    mutationFn: () => call(testReceiver, { params: { id } }),
    onError: failed,
    onSettled: reload,
  })
  const again = useMutation({
    mutationFn: (one: ReceiverDelivery) => call(resendReceiverDelivery, { params: { id, delivery_id: one.id } }),
    onError: failed,
    onSettled: reload,
  })
  const rows = deliveries.data?.deliveries
  const isOff = (deliveries.data?.receiver ?? receiver).disabled !== null
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Deliveries to ${receiverName(receiver)}`}
      description="The last 20 events. They are kept for 30 days."
    >
      <Button busy={test.isPending} disabled={isOff} data-begins onClick={() => test.mutate()}>
        Send a test event
      </Button>
      {isOff ? (
        <p className="mt-2 text-small text-muted">The webhook is disabled. Enable it to send a test event.</p>
      ) : null}
      {deliveries.isError ? (
        <p role="alert" className="mt-4 text-bad">
          The deliveries could not be loaded. {deliveries.error.message}
        </p>
      ) : rows === undefined ? (
        <p role="status" className="mt-4 text-muted">
          Loading…
        </p>
      ) : rows.length === 0 ? (
        <p className="mt-4 text-muted">Nothing has been sent yet.</p>
      ) : (
        <ul className="mt-4 flex flex-col gap-3">
          {rows.map((one) => {
            const { label, tone } = deliveryState(one)
            return (
              <li key={one.id} className="flex items-start justify-between gap-4 border-t border-line pt-3">
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-2">
                    <span className="font-medium">
                      {one.type}
                      {one.issue_number === null ? '' : ` #${one.issue_number}`}
                    </span>
                    <Badge tone={tone}>{label}</Badge>
                  </p>
                  <p className="text-small break-words text-muted">{deliveryInWords(one)}</p>
                </div>
                <Button
                  aria-label={`Send ${one.type} of ${deliveryInWords(one)} again`}
                  disabled={isOff || isOnItsWay(one) || again.isPending}
                  onClick={() => again.mutate(one)}
                >
                  Send again
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </Dialog>
  )
}
