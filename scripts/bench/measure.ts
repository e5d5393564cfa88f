/** Numbers of one measurement, in the order in which they were taken. */
export type Samples = readonly number[]

export function median(samples: Samples): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** One line: the name of the figure, the median, the range and, if there is one, the target. */
export function report(name: string, samples: Samples, unit: string, aim?: string): string {
  const [least, most] = [Math.min(...samples), Math.max(...samples)]
  const line = `${name.padEnd(44)} ${median(samples).toFixed(1).padStart(9)} ${unit.padEnd(5)} (${least.toFixed(1)} to ${most.toFixed(1)}, ${samples.length} runs)`
  return aim ? `${line.padEnd(92)} aim ${aim}` : line
}

/** Groups the measurements of several runs by name, in the order of the first run. */
export function byName(runs: readonly Readonly<Record<string, number>>[]): [name: string, samples: Samples][] {
  return Object.keys(runs[0] ?? {}).map((name) => [name, runs.map((run) => run[name] ?? Number.NaN)])
}
