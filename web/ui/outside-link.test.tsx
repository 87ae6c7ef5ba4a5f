import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OutsideLink } from './outside-link.tsx'

const rendered = (address: string | null | undefined, otherwise?: string) =>
  renderToStaticMarkup(
    <OutsideLink address={address} className="underline" otherwise={otherwise}>
      Open
    </OutsideLink>,
  )

test('the address of a web page is a link in a new tab, which gets no access to ours', () => {
  expect(rendered('https://desk.example/1?a=1')).toBe(
    '<a href="https://desk.example/1?a=1" target="_blank" rel="noopener noreferrer nofollow" class="underline">Open</a>',
  )
})

test.each([
  'javascript:alert(1)',
  'JavaScript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  '/settings',
  'https://bank.example@evil.example/',
  '',
  null,
  undefined,
])('%j is no link', (address) => {
  expect([rendered(address), rendered(address, 'ticket #5')]).toEqual(['', 'ticket #5'])
})
