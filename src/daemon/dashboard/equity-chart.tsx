import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import type { EventOf } from './board.js';
import { styleOf } from './browser.js';
import { Section, Table } from './parts.js';
import { axes, Plot } from './plot.js';
import { type EquityLine, equityLine } from './series.js';
import { equity } from './store.js';
import { decimalText, momentText, plain, signedText } from './text.js';

export function Equity() {
  const lines = [...equity.value];
  return (
    <Section id="equity" title="Equity and drawdown">
      {lines.length === 0 ? <p class="empty">The first point comes ten seconds after the start.</p> : null}
      {lines.map(([asset, points]) => (
        <EquityChart key={asset} asset={asset} points={points} />
      ))}
    </Section>
  );
}

function EquityChart({
  asset,
  points,
}: {
  readonly asset: string;
  readonly points: readonly EventOf<'equity'>[];
}) {
  const line = useMemo(() => equityLine(points), [points]);
  const data = useMemo(() => columns(line), [line]);
  const last = line.equity.at(-1) ?? 0;
  const unit = plain(asset, 12);
  const text = (value: number) => signedText(value.toFixed(2));
  const now = `${text(last)} ${unit} since start, worst drawdown ${text(line.worst)} ${unit}`;
  return (
    <figure class="chart">
      <figcaption>
        <span>
          P&L since start: {now}
          <span class="legend" aria-hidden="true">
            <span class="line-equity">━ equity</span> <span class="line-drawdown">━ drawdown</span>
          </span>
        </span>
      </figcaption>
      <Plot
        identity={asset}
        data={data}
        height={200}
        label={`${now}; ${line.equity.length} points, one each ten seconds`}
        options={options}
      />
      <details>
        <summary>Newest points as a table</summary>
        <Table
          label={`Equity in ${unit}, newest first`}
          rows={newest(line)}
          keyOf={({ time }) => String(time)}
          empty="No points yet."
          columns={[
            { name: 'Time (UTC)', cell: ({ time }) => momentText(time), isHead: true },
            { name: 'Since start', cell: ({ equity }) => text(equity), isNumber: true },
            { name: 'Drawdown', cell: ({ drawdown }) => decimalText(drawdown.toFixed(2)), isNumber: true },
          ]}
        />
      </details>
    </figure>
  );
}

/** One a minute, of the last half hour. */
function newest({ times, equity, drawdown }: EquityLine) {
  const rows: { readonly time: number; readonly equity: number; readonly drawdown: number }[] = [];
  for (let i = times.length - 1; i >= 0 && rows.length < 30; i -= 6) {
    rows.push({ time: 1_000 * (times[i] ?? 0), equity: equity[i] ?? 0, drawdown: drawdown[i] ?? 0 });
  }
  return rows;
}

function columns({ times, equity, drawdown }: EquityLine): uPlot.AlignedData {
  return [[...times], [...equity], [...drawdown]];
}

function options(): Omit<uPlot.Options, 'width' | 'height'> {
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: true } },
    series: [
      {},
      { stroke: styleOf('--accent'), width: 2, points: { show: false } },
      {
        stroke: styleOf('--loss'),
        width: 1,
        fill: styleOf('--loss-wash'),
        fillTo: 0,
        points: { show: false },
      },
    ],
    axes: axes(10),
  };
}
