import { optionRows, variableOf } from '../src-server/options/option-table.ts'

/** npm has options with these names, so their values are npm's own. */
const npmsOwn = ['cert', 'key', 'config', 'socket', 'log']

/**
 * Finds flags of the server that npm took as its own, because the `--` before them is missing. npm then passes on only their
 * values or, as in `npm start --port=80`, nothing.
 */
export function flagsKeptByNpm(env: NodeJS.ProcessEnv): string[] {
  const rows = optionRows.filter((row) => variableOf(row) !== undefined && !npmsOwn.includes(row.name))
  return rows.filter(({ name }) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined).map(({ name }) => `--${name}`)
}
