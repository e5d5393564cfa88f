import { optionRows, variableOf } from '../src-server/options/option-table.ts'

/** npm has options of the same names: a value for one of them is npm's own. */
const npmsOwn = ['cert', 'key', 'config', 'socket', 'log']

/**
 * The server's flags that npm took for its own because the `--` before them was left out: it hands their values on as bare
 * arguments, or, as in `npm start --port=80`, nothing at all.
 */
export function flagsKeptByNpm(env: NodeJS.ProcessEnv): string[] {
  const rows = optionRows.filter((row) => variableOf(row) !== undefined && !npmsOwn.includes(row.name))
  return rows.filter(({ name }) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined).map(({ name }) => `--${name}`)
}
