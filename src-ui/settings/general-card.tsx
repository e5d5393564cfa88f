import { Fragment } from 'react'
import { pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field, FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { RuleTrial } from '../users/rule-trial.tsx'
import { RulesEditor } from '../users/rules-editor.tsx'
import { rulesOf } from '../users/user-draft.ts'
import { BrandingFields, themeLabels } from './branding-fields.tsx'
import { CardFoot } from './card-foot.tsx'
import { yesOrNo } from './differences.tsx'
import { type GeneralDraft, general, type Loaded } from './global-settings.ts'
import { useGlobalCard } from './use-global-card.ts'

const brandingNames = ['name', 'disableExternal', 'disableUsedPercentage', 'theme', 'color', 'files', 'css'] as const
const names = ['signup', 'createUserDir', 'rules', 'shell', ...brandingNames.map((name) => `branding.${name}`)]

/** Sign-up, home folders, the shell, the rules for everybody and the branding. */
export const GeneralCard = view(function GeneralCard({ loaded }: { loaded: Loaded }) {
  const card = useGlobalCard(general, loaded, { names, rulesOf: ({ rules }) => rules, done: () => t('settings.updated') })
  const { draft, setDraft, problems } = card
  const set = (changed: Partial<GeneralDraft>) => setDraft({ ...draft, ...changed })
  const isOff = !pageConfig.EnableExec
  const off = t('settings.general.shellOff', { flag: '\u2066--enable-exec\u2069' })
  return (
    <Card label={t('settings.general.title')} onSubmit={() => void card.save()}>
      <Section title={t('settings.general.title')}>
        {loaded.settings.unnamedProxies && <UnnamedProxies proxies={loaded.settings.unnamedProxies} />}
        <Checkbox
          label={t('settings.general.signup')}
          hint={t(signUpHint(draft, loaded.settings))}
          isOn={draft.signup}
          onChange={(signup) => set({ signup })}
        />
        <Checkbox
          label={t('settings.general.homes')}
          isOn={draft.createUserDir}
          onChange={(createUserDir) => set({ createUserDir })}
        />
        <Field
          label={t('settings.general.shell')}
          hint={isOff ? off : t('settings.general.shellHint')}
          error={problems.fields.shell}
          className="input-code"
          dir="ltr"
          placeholder="bash -c, cmd /c"
          value={draft.shell}
          disabled={isOff}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => set({ shell: event.target.value })}
        />
      </Section>
      <Section title={t('users.rules.title')} text={t('settings.general.rulesText')} wide>
        {loaded.settings.rules.some(({ problem }) => problem !== undefined) && (
          <FieldError text={t('settings.general.rulesInvalid')} />
        )}
        <RulesEditor rules={draft.rules} problem={problems.rule} onRules={(rules) => set({ rules })} />
        <RuleTrial global={draft.rules} />
      </Section>
      <Section title={t('settings.branding.title')} text={t('settings.branding.text')}>
        <BrandingFields branding={draft.branding} problems={problems.fields} onBranding={(branding) => set({ branding })} />
        <CardFoot card={card} differences={card.theirs ? differences(draft, general.toDraft(card.theirs)) : []} />
      </Section>
    </Card>
  )
})

/** What allowing the sign-up does, or why it does nothing. */
function signUpHint({ signup, createUserDir }: GeneralDraft, { defaults, signupObstacle }: Loaded['settings']) {
  if (signupObstacle === 'method') return 'settings.general.signupMethod'
  // The server refuses what would give strangers everything; what is typed here may change that.
  if (signup && !createUserDir && /^[./]*$/.test(defaults.scope)) return 'settings.general.signupRoot'
  return signupObstacle === 'room' ? 'settings.general.signupFull' : 'settings.general.signupHint'
}

/** Stands for the options in the sentence. */
const mark = '\0'

/** What the server is to be started with. More than some are hardly proxies. */
function UnnamedProxies({ proxies }: { proxies: readonly string[] }) {
  const [before, after] = t('settings.general.unnamedProxy', { flag: mark }).split(mark)
  return (
    <p className="notice">
      <Icon name="info-circle" small />
      <span>
        {before}
        <code className="code" dir="ltr">
          {proxies.slice(0, 3).map((proxy, index) => (
            <Fragment key={proxy}>
              {index > 0 && ' '}
              <span className="option-name">--trusted-proxy</span> {proxy}
            </Fragment>
          ))}
        </code>
        {after}
      </span>
    </p>
  )
}

const differences = (mine: GeneralDraft, theirs: GeneralDraft) => [
  { label: t('settings.general.signup'), mine: yesOrNo(mine.signup), theirs: yesOrNo(theirs.signup) },
  { label: t('settings.general.homes'), mine: yesOrNo(mine.createUserDir), theirs: yesOrNo(theirs.createUserDir) },
  { label: t('settings.general.shell'), mine: mine.shell, theirs: theirs.shell },
  { label: t('users.rules.title'), mine: textOfRules(mine), theirs: textOfRules(theirs) },
  ...brandingNames.map((name) => ({
    label: t(`settings.branding.${name}`),
    mine: textOf(name, mine),
    theirs: textOf(name, theirs),
  })),
]

function textOf(name: (typeof brandingNames)[number], { branding }: GeneralDraft): string {
  const value = branding[name]
  if (name === 'theme') return t(themeLabels[branding.theme])
  return typeof value === 'boolean' ? yesOrNo(value) : value
}

/** A rule in each line, as it is decided. */
const textOfRules = ({ rules }: GeneralDraft) =>
  rulesOf(rules)
    .map(
      ({ allow, regex, path, regexp }) => `${t(allow ? 'users.rules.allow' : 'users.rules.deny')} ${regex ? regexp.raw : path}`,
    )
    .join('\n')
