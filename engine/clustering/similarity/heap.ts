/** Turns the first `size` values into a min-heap. Cheaper than sorting when only a few are taken. */
export function heapify(values: Int32Array, size: number): void {
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(values, size, at)
}

/** Removes and returns the smallest value of a heap of `size`. */
export function takeSmallest(values: Int32Array, size: number): number {
  const smallest = values[0] as number
  values[0] = values[size - 1] as number
  sink(values, size - 1, 0)
  return smallest
}

function sink(values: Int32Array, size: number, from: number): void {
  const value = values[from] as number
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) break
    if (child + 1 < size && (values[child + 1] as number) < (values[child] as number)) child++
    if ((values[child] as number) >= value) break
    values[at] = values[child] as number
    at = child
  }
  values[at] = value
}
