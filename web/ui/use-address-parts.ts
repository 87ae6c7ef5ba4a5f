import { useSearchParams } from 'react-router'

/** The query of the address, and a function that replaces parts of it without a new entry in the history; an empty value removes its part. */
export function useAddressParts<Name extends string>(): [
  URLSearchParams,
  (parts: Partial<Record<Name, string>>) => void,
] {
  const [address, setAddress] = useSearchParams()
  return [
    address,
    (parts) => {
      // From the browser's address: React's may be one change behind.
      const next = new URLSearchParams(window.location.search)
      for (const [name, value] of Object.entries<string | undefined>(parts)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      setAddress(next, { replace: true })
    },
  ]
}
