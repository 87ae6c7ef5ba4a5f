/** Writes the gradient at `point` and returns the value there. */
type Objective = (point: Float64Array, gradient: Float64Array) => number

const MEMORY = 10
const SUFFICIENT_DECREASE = 1e-4
const MAX_HALVINGS = 30
/** Stops once a step gains less than this share of the value. */
const MIN_GAIN = 1e-9

/**
 * A point where a smooth convex function is near its minimum, by L-BFGS with backtracking. Deterministic. Does not change `start`.
 */
export function minimise(objective: Objective, start: Float64Array, iterations: number): Float64Array {
  let point = start.slice()
  let gradient = new Float64Array(point.length)
  let value = objective(point, gradient)
  const steps: { moved: Float64Array; turned: Float64Array; scale: number }[] = []
  for (let iteration = 0; iteration < iterations; iteration++) {
    const direction = directionAt(gradient, steps)
    const slope = dot(direction, gradient)
    if (slope >= 0) break
    const next = new Float64Array(point.length)
    const nextGradient = new Float64Array(point.length)
    let nextValue = Number.POSITIVE_INFINITY
    let length = steps.length === 0 ? 1 / Math.sqrt(dot(gradient, gradient)) : 1
    for (let halving = 0; halving < MAX_HALVINGS; halving++, length /= 2) {
      for (let i = 0; i < next.length; i++) next[i] = (point[i] as number) + length * (direction[i] as number)
      nextValue = objective(next, nextGradient)
      if (nextValue <= value + SUFFICIENT_DECREASE * length * slope) break
    }
    if (!(nextValue < value)) break
    const moved = next.map((one, i) => one - (point[i] as number))
    const turned = nextGradient.map((one, i) => one - (gradient[i] as number))
    const curvature = dot(moved, turned)
    if (curvature > 0) {
      steps.push({ moved, turned, scale: 1 / curvature })
      if (steps.length > MEMORY) steps.shift()
    }
    const gain = value - nextValue
    point = next
    gradient = nextGradient
    value = nextValue
    if (gain < MIN_GAIN * Math.abs(value)) break
  }
  return point
}

/** The direction of the next step: the negative gradient times an estimate of the inverse curvature. */
function directionAt(
  gradient: Float64Array,
  steps: readonly { moved: Float64Array; turned: Float64Array; scale: number }[],
): Float64Array {
  const direction = gradient.map((one) => -one)
  const shares = steps.map(() => 0)
  for (let k = steps.length - 1; k >= 0; k--) {
    const step = steps[k]
    if (!step) continue
    const share = step.scale * dot(step.moved, direction)
    shares[k] = share
    addTo(direction, step.turned, -share)
  }
  const last = steps.at(-1)
  if (last) {
    const scale = 1 / (last.scale * dot(last.turned, last.turned))
    for (let i = 0; i < direction.length; i++) direction[i] = (direction[i] as number) * scale
  }
  steps.forEach((step, k) => {
    addTo(direction, step.moved, (shares[k] as number) - step.scale * dot(step.turned, direction))
  })
  return direction
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

function addTo(target: Float64Array, other: Float64Array, times: number): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) + times * (other[i] as number)
}
