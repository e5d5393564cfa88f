import { showChord } from '../core/key-names.ts'
import type { Opened } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Keys } from '../ui/keys.tsx'
import { view } from '../ui/view.tsx'
import { type HelpGroup, helpGroups } from './help-rows.ts'

/** The help: all keys of the command table. */
export const Help = view(function Help({ onClose }: Opened<'help'>) {
  const workspace = useWorkspace()
  return (
    <Dialog title={t('help.title')} onClose={onClose} wide scrolls foot={<Button label={t('action.done')} onClick={onClose} />}>
      <div className="help-columns">
        {helpGroups(workspace).map((group) => (
          <Shortcuts key={group.title} group={group} />
        ))}
      </div>
    </Dialog>
  )
})

function Shortcuts({ group: { title, lines } }: { group: HelpGroup }) {
  return (
    <section className="help-group">
      <h3 className="help-title">{title}</h3>
      <dl className="shortcuts">
        {lines.map(({ label, chords }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="ltr">
              {chords.map((chord) => (
                <span key={chord} className="shortcut">
                  <Keys shown={showChord(chord)} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
