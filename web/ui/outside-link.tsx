import { isWebAddress } from '@groundswell/contract/values/web-address.ts'
import type { ReactNode } from 'react'

type OutsideLinkProps = {
  address: string | null | undefined
  className: string
  children: ReactNode
  /** What is shown where the address may not become a link. */
  otherwise?: ReactNode
}

/** A link to a page outside, in a new tab. Every address that comes from data is rendered by it: only those of web pages become links. */
export function OutsideLink({ address, className, children, otherwise = null }: OutsideLinkProps) {
  if (!isWebAddress(address)) return otherwise
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className={className}>
      {children}
    </a>
  )
}
