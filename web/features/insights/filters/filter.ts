import {
  INSIGHT_FILTER_PARTS,
  type InsightFilter,
  readInsightFilter,
} from '@groundswell/contract/insights/insight-filter.ts'
import { type ChangeGroup, isChangeGroup } from '../visits/change-groups.ts'

/**
 * The filter of the list on the screen. `change`: a group of what changed since the last visit; `customer`: the id of one, '' for any; `attributes`: chosen
 * values of attributes of messages, as `readAttributes` reads them, '' for none. These are applied before everything else.
 */
export type Filter = InsightFilter & { change: ChangeGroup | null; customer: string; attributes: string }

/** The parameters of an address that belong to the filter. */
export const FILTER_PARTS = {
  ...INSIGHT_FILTER_PARTS,
  change: 'change',
  customer: 'customer',
  attributes: 'attributes',
} as const

/** The filter of an address; parts with unknown values are left out. */
export function readFilter(address: URLSearchParams): Filter {
  const change = address.get(FILTER_PARTS.change)
  return {
    ...readInsightFilter(address),
    change: isChangeGroup(change) ? change : null,
    customer: address.get(FILTER_PARTS.customer) ?? '',
    attributes: address.get(FILTER_PARTS.attributes) ?? '',
  }
}

/** The address with one part of the filter replaced; everything else in it stays. */
export function withPart(
  address: URLSearchParams,
  part: keyof Filter,
  value: string | number | null | readonly string[],
): URLSearchParams {
  const next = new URLSearchParams(address)
  const name = FILTER_PARTS[part]
  next.delete(name)
  for (const one of Array.isArray(value) ? value : [value]) if (one) next.append(name, String(one))
  return next
}

/** The address without any filter. */
export function withoutFilter(address: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const name of Object.values(FILTER_PARTS)) next.delete(name)
  return next
}

/** Whether any part of a filter is set. */
export function isFiltered({ words, ...parts }: Filter): boolean {
  return [words.trim(), ...Object.values(parts)].some((part) => (typeof part === 'number' ? true : part?.length))
}
