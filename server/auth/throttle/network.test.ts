import { describe, expect, it } from 'vitest'
import { AddressThrottle } from './address-throttle.ts'
import { networkOf } from './network.ts'

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('can be the /48 of a site', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6', 48)).toBe('2001:db8:1::/48')
  })
})

describe('a limit by address', () => {
  const limit = () => new AddressThrottle({ max: 10, windowMs: 60_000 })
  const attempts = (throttle: AddressThrottle, addressOf: (number: number) => string) => {
    let let_in = 0
    for (let number = 0; number < 1_000; number += 1) if (throttle.take(addressOf(number), 0)) let_in += 1
    return let_in
  }

  it('holds for all addresses of a /64 together', () => {
    expect(attempts(limit(), (number) => `2001:db8:1:2::${number.toString(16)}`)).toBe(10)
  })

  it('holds for all networks of a /48 together, at eight times as much', () => {
    expect(attempts(limit(), (number) => `2001:db8:1:${number.toString(16)}::1`)).toBe(80)
  })

  it('leaves other networks and other subjects alone, and gives back what was taken', () => {
    const throttle = limit()
    attempts(throttle, () => '2001:db8:1:2::1')
    expect(throttle.take('2001:db8:1:3::1', 0)).toBe(true)
    expect(throttle.take('2001:db8:1:2::1', 0, 'else')).toBe(true)
    throttle.refund('2001:db8:1:2::9', 0)
    expect([throttle.take('2001:db8:1:2::7', 0), throttle.take('2001:db8:1:2::7', 0)]).toEqual([true, false])
  })
})
