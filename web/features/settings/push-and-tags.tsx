import { type CountBy, MIN_INPUTS, updateSettings } from '@groundswell/contract/settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { Button, IconButton } from '../../ui/button.tsx'
import { TOAST_SHORT_DURATION_MS } from '../../ui/constants.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { lazyExtra } from '../../ui/loading/lazy-part.tsx'
import { Tooltip } from '../../ui/overlays/tooltip.tsx'
import { Section } from '../../ui/page.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast-store.ts'
import { replaceSettings, useMayEdit, useUserData } from '../accounts/index.ts'
import { call, logFailure } from '../client/index.ts'
import { usePublicConfig } from '../operations/index.ts'
import { MethodToggle } from './method-toggle.tsx'
import { countable, draftFrom, readSaved, type SettingsDraft, settingsFrom } from './saved-settings.ts'
import { TagRows } from './tag-rows.tsx'

const TagProgress = lazyExtra(async () => (await import('./tag-progress.tsx')).TagProgress)

const COUNTS: Record<CountBy, { label: string; help: string }> = {
  mentions: { label: 'Mentions', help: 'An insight is pushed once it has been mentioned this often.' },
  people: { label: 'People', help: 'An insight is pushed once this many different people have said it.' },
  customers: {
    label: 'Customers',
    help: 'An insight is pushed once this many different customers have said it. People without a known customer do not count.',
  },
}

const CHOICES = Array.from(
  { length: MIN_INPUTS.highest - MIN_INPUTS.lowest + 1 },
  (_, step) => MIN_INPUTS.lowest + step,
)

/** When an insight is pushed automatically, and the tags: one form, saved as a whole. */
export function PushAndTags() {
  const stored = useUserData()?.settings
  const mayEdit = useMayEdit()
  const hasExtras = usePublicConfig() !== null
  const can = countable(stored, hasExtras)
  const form = useForm<SettingsDraft>({ defaultValues: draftFrom(stored), mode: 'all' })
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: async (draft: SettingsDraft) => {
      const sent = settingsFrom(draft, can)
      return readSaved(await call(updateSettings, { body: sent }), sent)
    },
    onSuccess: ({ settings, message }) => {
      replaceSettings(settings)
      form.reset(draftFrom(settings))
      void client.invalidateQueries({ queryKey: ['held'] })
      toast({
        title: 'Settings saved',
        description: message ?? 'Settings updated successfully',
        durationMs: TOAST_SHORT_DURATION_MS,
      })
    },
    onError: (error) => {
      logFailure('Settings were not saved')(error)
      toast({
        title: 'Error',
        description: 'Save failed.',
        detail: error.message,
        tone: 'destructive',
        durationMs: TOAST_SHORT_DURATION_MS,
      })
    },
  })
  const method = useWatch({ control: form.control, name: 'method' })
  const counted = useWatch({ control: form.control, name: 'count_by' })
  const holds = useWatch({ control: form.control, name: 'hold_guesses' })
  return (
    <FormProvider {...form}>
      <Form noValidate onSubmit={form.handleSubmit((draft) => save.mutateAsync(draft))}>
        <fieldset disabled={!mayEdit} className="min-w-0">
          <Section title="Push to destination" lead="When insights are pushed to your destinations.">
            <div className="flex flex-col gap-5 rounded-large border border-line bg-surface p-5">
              <div className="flex flex-wrap items-start gap-x-10 gap-y-4">
                <MethodToggle value={method} />
                {method === 'auto' ? (
                  <div className="flex items-end gap-1">
                    <Field label="Minimum mentions">
                      {(ids) => (
                        <Select {...ids} className="w-full" {...form.register('min_inputs', { valueAsNumber: true })}>
                          {CHOICES.map((choice) => (
                            <option key={choice} value={choice}>
                              {choice}
                            </option>
                          ))}
                        </Select>
                      )}
                    </Field>
                    <Tooltip text="We recommend 3 to 4 mentions.">
                      <IconButton label="About minimum mentions: we recommend 3 to 4 mentions">
                        <Info size={14} aria-hidden />
                      </IconButton>
                    </Tooltip>
                  </div>
                ) : null}
              </div>
              {can.length > 1 ? (
                <Field label="Count" help={COUNTS[counted].help}>
                  {(ids) => (
                    <Select {...ids} className="w-full sm:w-64" {...form.register('count_by')}>
                      {can.map((unit) => (
                        <option key={unit} value={unit}>
                          {COUNTS[unit].label}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
              ) : null}
              {can.includes('customers') ? (
                <Switch
                  label="Hold insights whose name is a guess"
                  help="They are pushed once a person or a language model has named them. You can still push them by hand."
                  checked={holds}
                  disabled={!mayEdit}
                  onChange={(checked) => form.setValue('hold_guesses', checked, { shouldDirty: true })}
                />
              ) : null}
            </div>
          </Section>
          <Section title="Automatic Tags" lead="An insight gets a tag when its description matches.">
            <TagRows />
            {hasExtras && stored?.categories?.length ? <TagProgress saved={stored.categories} /> : null}
          </Section>
        </fieldset>
        <div className="mt-6">
          <Button type="submit" look="primary" busy={save.isPending} data-edits>
            Save Settings
          </Button>
        </div>
      </Form>
    </FormProvider>
  )
}
