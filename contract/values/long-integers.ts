type Reviver = (this: unknown, key: string, value: unknown) => unknown

const MAY_BE_LONG = /\d{16}/
const INTEGER = /^-?\d{16,}$/

/** The third argument of a reviver: the value as it is written. The standard library's types do not have it yet. */
const asWritten = ((_key: string, value: unknown, { source }: { source?: string }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
    ? source
    : value) as Reviver

/**
 * The reviver for `JSON.parse` of this text, which returns integers beyond 2^53 as the text that is written there: as numbers,
 * different ids would become equal. Undefined for text without such integers, which is parsed faster without a reviver.
 */
export const longIntegersOf = (json: string): Reviver | undefined => (MAY_BE_LONG.test(json) ? asWritten : undefined)
