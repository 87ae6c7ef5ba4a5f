import { previewTags, type TagPreview } from '@groundswell/contract/insights/tags.ts'
import type { Tag } from '@groundswell/contract/settings.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { useSettled } from '../../ui/use-settled.ts'
import { useMayEdit } from '../accounts/index.ts'
import { call } from '../client/index.ts'
import { descriptionProblem, isNamed, type SettingsDraft } from './saved-settings.ts'

/** The most that one call takes. */
const MAX_TAGS = 20

const keyOf = ({ name, description }: Tag) => `${name.trim()}\n${description.trim()}`

/**
 * How the server reads the description of the tag at this index, as it is typed. Undefined while that is not known, where the tag is not valid yet, and
 * for people who may not edit. All rows ask together.
 */
export function useUnderstood(index: number): TagPreview | undefined {
  const { control } = useFormContext<SettingsDraft>()
  const drafts = useWatch({ control, name: 'categories' })
  const mayEdit = useMayEdit()
  const keys = drafts.filter((one) => isNamed(one.name) && descriptionProblem(one.description) === null).map(keyOf)
  const asked = useSettled(JSON.stringify(keys.slice(0, MAX_TAGS)))
  const { data } = useQuery({
    queryKey: ['tags-understood', asked],
    queryFn: async () => {
      const categories = (JSON.parse(asked) as string[]).map((key) => {
        const [name = '', ...lines] = key.split('\n')
        return { name, description: lines.join('\n') }
      })
      const { tags } = await call(previewTags, { body: { categories, on_insights: false } })
      return new Map(categories.map((one, place) => [keyOf(one), tags[place]]))
    },
    enabled: mayEdit && asked !== '[]',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const draft = drafts[index]
  return draft ? data?.get(keyOf(draft)) : undefined
}
