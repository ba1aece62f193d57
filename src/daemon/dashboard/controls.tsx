import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { StopLevel } from '../daemon-api.js';
import { type ActionName, ACTIONS, offered, refusalOf, requestOf, STOP_LEVELS, wordOf } from './actions.js';
import { post } from './browser.js';
import { access, standing, status } from './store.js';
import { plain } from './text.js';

/** The action whose dialog is open; `undefined`: none. */
const asked = signal<ActionName | undefined>(undefined);
const done = signal('');

export function Controls() {
  const { scope } = access.value;
  const names = offered(status.value);
  return (
    <section class="controls" aria-labelledby="controls-title">
      <h2 id="controls-title" class="unseen">
        Controls
      </h2>
      {scope === 'read' ? (
        <p class="read-only">
          Read only. <code>tickwright open --control</code> prints a link that may also pause and stop.
        </p>
      ) : (
        <div class="buttons">
          {names.map((name) => (
            <button
              key={name}
              type="button"
              class={ACTIONS[name].isGrave ? 'grave' : 'firm'}
              aria-haspopup="dialog"
              onClick={() => {
                done.value = '';
                asked.value = name;
              }}
            >
              {ACTIONS[name].label}…
            </button>
          ))}
        </div>
      )}
      <p role="status" class="done">
        {done.value}
      </p>
      {asked.value === undefined ? null : <Confirm key={asked.value} name={asked.value} />}
    </section>
  );
}

const level = signal<StopLevel>('cancel');
const typed = signal('');
const reason = signal('');
const problem = signal('');
const isSending = signal(false);

/** A modal dialog: the browser keeps the focus inside, restores it afterwards, and closes the dialog on Escape. */
function Confirm({ name }: { readonly name: ActionName }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { label, effect, said, isGrave } = ACTIONS[name];
  const word = wordOf(name, status.value, level.value);
  // The mark of the halts when the dialog opened: a halt that is latched while the person reads was not seen by him.
  const seen = useRef(status.value?.halted?.mark);
  useEffect(() => {
    typed.value = '';
    reason.value = '';
    problem.value = '';
    dialog.current?.showModal();
  }, []);
  const close = () => {
    dialog.current?.close();
  };
  const isReady =
    word !== undefined && typed.value.trim() === word && reason.value.trim() !== '' && !isSending.value;
  const send = async () => {
    const { csrf } = access.value;
    if (!isReady || word === undefined || csrf === undefined) return;
    isSending.value = true;
    problem.value = '';
    try {
      const { path, body } = requestOf({
        name,
        confirm: typed.value.trim(),
        reason: reason.value,
        mark: seen.current,
      });
      const answer = await post(path, body, csrf);
      const refusal = refusalOf(answer.status, answer.body);
      if (refusal === undefined) {
        done.value = said;
        close();
      } else problem.value = `Not done: ${refusal}`;
    } catch {
      problem.value =
        'Nobody knows whether it was done: the daemon did not answer. “tickwright panic” works without it.';
    } finally {
      isSending.value = false;
    }
  };
  return (
    <dialog
      ref={dialog}
      class={isGrave ? 'confirm grave' : 'confirm'}
      aria-labelledby="confirm-title"
      aria-describedby="confirm-effect"
      onClose={() => {
        asked.value = undefined;
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2 id="confirm-title">
          {label} {status.value?.mode === 'live' ? '— LIVE' : ''}
        </h2>
        <p id="confirm-effect">{effect}</p>
        {standing.value.isFresh ? null : (
          <p class="problem">What this page shows is old. The request may still be answered.</p>
        )}
        {name === 'stop' ? <Levels /> : null}
        <label class="field">
          Reason, for the journal
          <input
            type="text"
            required
            maxLength={500}
            autoComplete="off"
            value={reason.value}
            onInput={({ currentTarget }) => {
              reason.value = currentTarget.value;
            }}
          />
        </label>
        <label class="field">
          <span>
            Type <kbd>{plain(word ?? '', 16)}</kbd> to confirm
          </span>
          <input
            type="text"
            required
            autoComplete="off"
            autoCapitalize="off"
            spellcheck={false}
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
        </label>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <div class="buttons">
          <button type="button" class="quiet" onClick={close}>
            Back
          </button>
          <button type="submit" class={isGrave ? 'grave' : 'firm'} disabled={!isReady}>
            {isSending.value ? 'Asking…' : label}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Levels() {
  return (
    <fieldset class="levels">
      <legend>What becomes of orders and positions</legend>
      {STOP_LEVELS.map((each) => (
        <label key={each.level} class="check">
          <input
            type="radio"
            name="level"
            checked={level.value === each.level}
            onChange={() => {
              level.value = each.level;
              typed.value = '';
            }}
          />
          <span>
            <strong>{each.level}</strong>: {each.words}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
