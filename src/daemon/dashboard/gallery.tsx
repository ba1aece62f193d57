import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get } from './browser.js';
import { LIST_MS } from './feed.js';
import { Badge, type BadgeTone, Said, Section, Table } from './parts.js';
import { type RunRow, runRows } from './runs.js';
import { link } from './store.js';
import { signedText, toneOf } from './text.js';

const rows = signal<readonly RunRow[]>([]);
const note = signal('Not asked yet.');

async function load(): Promise<void> {
  note.value = 'Asking…';
  try {
    const { status, body } = await get('/api/runs', LIST_MS);
    if (status !== 200) {
      note.value = `The daemon answered ${status}.`;
      return;
    }
    rows.value = runRows(body);
    note.value = 'No runs yet. “tickwright backtest STRATEGY” makes one.';
  } catch {
    note.value = 'The daemon does not answer.';
  }
}

/** What backtests said, newest first. */
export function Gallery() {
  const { state } = link.value;
  useEffect(() => {
    if (state === 'open') void load();
  }, [state]);
  return (
    <Section
      id="backtests"
      title="Backtests"
      aside={
        <button type="button" class="quiet" onClick={() => void load()}>
          Look again
        </button>
      }
    >
      <Table
        label="Backtests, newest first"
        rows={rows.value}
        keyOf={({ id }, index) => `${id} ${index}`}
        empty={note.value}
        columns={[
          { name: 'Strategy', cell: ({ strategy }) => <Said text={strategy} />, isHead: true },
          { name: 'Pair', cell: ({ pair }) => <Said text={pair} /> },
          { name: 'Period (UTC)', cell: ({ period }) => period },
          { name: 'P&L, careful to hopeful', cell: (row) => <Range {...row} />, isNumber: true },
          {
            name: 'Verdict',
            cell: ({ verdict }) => <Badge tone={VERDICTS[verdict] ?? 'neutral'}>{verdict}</Badge>,
          },
          { name: 'Sharpe', cell: ({ sharpe }) => sharpe, isNumber: true },
          { name: 'Drawdown', cell: ({ drawdown }) => drawdown, isNumber: true },
          { name: 'Round trips', cell: ({ roundTrips }) => roundTrips, isNumber: true },
          { name: 'Run', cell: ({ id }) => <code>{id.slice(0, 12)}</code> },
        ]}
      />
    </Section>
  );
}

const VERDICTS: Readonly<Record<string, BadgeTone>> = { profit: 'good', loss: 'bad', undecided: 'warning' };

function Range({ range, quote }: RunRow) {
  if (range === undefined) return <>–</>;
  const [least, most] = range;
  return (
    <>
      <span class={toneOf(least)}>{signedText(least)}</span>
      {least === most ? null : (
        <>
          {' to '}
          <span class={toneOf(most)}>{signedText(most)}</span>
        </>
      )}{' '}
      <Said text={quote} />
    </>
  );
}
