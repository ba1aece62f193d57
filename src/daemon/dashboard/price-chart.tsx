import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import type { CandleRow } from '../daemon-api.js';
import type { EventOf } from './board.js';
import { every, get, pixelRatio, styleOf } from './browser.js';
import { LIST_MS } from './feed.js';
import { readCandles } from './message.js';
import { Table } from './parts.js';
import { axes, Plot } from './plot.js';
import { coarser, fillMarks, type FillMark, joinedCandles } from './series.js';
import { fills, link } from './store.js';
import { clockText, decimalText, momentText, plain } from './text.js';

const MOST_MINUTES = 1_440;
const REFRESH_MS = 5_000;
const NEWEST = 3;
const RANGES = [
  { name: '1 h', minutes: 60, candle: 1 },
  { name: '4 h', minutes: 240, candle: 1 },
  { name: '1 d', minutes: 1_440, candle: 5 },
] as const;
type Range = (typeof RANGES)[number];
const range = signal<Range>(RANGES[1]);

/** Prices as candles, with own fills marked. */
export function PriceChart({ pair }: { readonly pair: string }) {
  const minutes = useCandles(pair);
  const { candle, name } = range.value;
  const candles = useMemo(() => coarser(minutes.slice(-range.value.minutes), candle), [minutes, name]);
  const own = useMemo(() => fills.value.filter((fill) => fill.pair === pair), [fills.value, pair]);
  const marks = useMemo(() => fillMarks(candles, candle, own), [candles, own, name]);
  const data = useMemo(() => columns(candles), [candles, marks]);
  const shown = useMemo(() => ({ candles, marks }), []);
  // The chart draws from this object, which must outlive the chart's options.
  shown.candles = candles;
  shown.marks = marks;
  const first = candles[0];
  const last = candles.at(-1);
  const label =
    first === undefined || last === undefined
      ? 'No candles yet'
      : `${plain(pair, 32)} from ${clockText(first.time)} to ${clockText(last.time)} UTC: first ${first.open}, last ${last.close}, ` +
        `highest ${Math.max(...candles.map(({ high }) => high))}, lowest ${Math.min(...candles.map(({ low }) => low))}; ${marks.length} own fills in it`;
  return (
    <figure class="chart">
      <figcaption>
        <span>
          Price, {candle === 1 ? 'minutes' : `${candle} minutes`}, UTC
          <span class="legend" aria-hidden="true">
            <span class="buy">▲ bought</span> <span class="sell">▼ sold</span>
          </span>
        </span>
        <RangeChoice />
      </figcaption>
      {last === undefined ? (
        <p class="empty">No trades were seen yet.</p>
      ) : (
        <Plot
          identity={`${pair} ${name}`}
          data={data}
          height={240}
          label={label}
          options={() => candleOptions(shown, 60 * candle)}
        />
      )}
      <details>
        <summary>Newest candles as a table</summary>
        <CandleTable pair={pair} candles={candles} own={own} />
      </details>
    </figure>
  );
}

function RangeChoice() {
  return (
    <span class="choice" role="group" aria-label="How much of the past">
      {RANGES.map((each) => (
        <button
          key={each.name}
          type="button"
          class="quiet"
          aria-pressed={range.value === each}
          onClick={() => {
            range.value = each;
          }}
        >
          {each.name}
        </button>
      ))}
    </span>
  );
}

function CandleTable({
  pair,
  candles,
  own,
}: {
  readonly pair: string;
  readonly candles: readonly CandleRow[];
  readonly own: readonly EventOf<'fill'>[];
}) {
  const number = (value: number) => decimalText(String(value));
  return (
    <Table
      label={`Candles of ${plain(pair, 32)}, newest first; ${own.length} own fills are in the table of fills`}
      rows={candles.slice(-30).toReversed()}
      keyOf={({ time }) => String(time)}
      empty="No trades were seen yet."
      columns={[
        { name: 'Time (UTC)', cell: ({ time }) => momentText(time), isHead: true },
        { name: 'Open', cell: ({ open }) => number(open), isNumber: true },
        { name: 'High', cell: ({ high }) => number(high), isNumber: true },
        { name: 'Low', cell: ({ low }) => number(low), isNumber: true },
        { name: 'Close', cell: ({ close }) => number(close), isNumber: true },
        { name: 'Volume', cell: ({ volume }) => decimalText(String(volume), 3), isNumber: true },
      ]}
    />
  );
}

/** Loads all known candles at first and after a lost connection, then repeatedly the newest. */
function useCandles(pair: string): readonly CandleRow[] {
  const candles = useSignal<readonly CandleRow[]>([]);
  const { state } = link.value;
  useEffect(() => {
    if (state !== 'open') return undefined;
    let isGone = false;
    const ask = async (most: number) => {
      try {
        const { status, body } = await get(
          `/api/candles?pair=${encodeURIComponent(pair)}&n=${most}`,
          LIST_MS,
        );
        if (!isGone && status === 200) {
          candles.value = joinedCandles(candles.value, readCandles(body), MOST_MINUTES);
        }
      } catch {
        // The next request may succeed; a lost connection is shown elsewhere.
      }
    };
    void ask(MOST_MINUTES);
    const cancel = every(REFRESH_MS, () => void ask(NEWEST));
    return () => {
      isGone = true;
      cancel();
    };
  }, [pair, state]);
  return candles.value;
}

function columns(candles: readonly CandleRow[]): uPlot.AlignedData {
  return [
    candles.map(({ time }) => time / 1_000),
    candles.map(({ low }) => low),
    candles.map(({ high }) => high),
  ];
}

interface Shown {
  candles: readonly CandleRow[];
  marks: readonly FillMark[];
}

function candleOptions(shown: Shown, seconds: number): Omit<uPlot.Options, 'width' | 'height'> {
  const unseen = { paths: () => null, points: { show: false } };
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: true, range: (_, min, max) => [min - seconds, max + seconds] },
      y: { range: (_, min, max) => padded(min, max) },
    },
    series: [{}, unseen, unseen],
    axes: axes(seconds),
    hooks: { draw: [(chart) => drawCandles(chart, shown, seconds)] },
  };
}

function padded(min: number, max: number): [number, number] {
  const room = max > min ? 0.08 * (max - min) : Math.max(1e-9, 0.001 * Math.abs(max));
  return [min - room, max + room];
}

function drawCandles(chart: uPlot, { candles, marks }: Shown, seconds: number): void {
  const { ctx, bbox } = chart;
  const ratio = pixelRatio();
  const x = (time: number) => chart.valToPos(time / 1_000, 'x', true);
  const y = (price: number) => chart.valToPos(price, 'y', true);
  const [first] = candles;
  if (first === undefined) return;
  const slot = x(first.time + seconds * 1_000) - x(first.time);
  const width = Math.max(1, Math.min(12 * ratio, 0.7 * slot));
  const rise = styleOf('--rise');
  const fall = styleOf('--fall');
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = Math.max(1, ratio);
  for (const { time, open, high, low, close } of candles) {
    const middle = Math.round(x(time));
    const top = y(Math.max(open, close));
    const height = Math.max(ctx.lineWidth, y(Math.min(open, close)) - top);
    ctx.fillStyle = close >= open ? rise : fall;
    ctx.fillRect(middle - ctx.lineWidth / 2, y(high), ctx.lineWidth, y(low) - y(high));
    ctx.fillRect(middle - width / 2, top, width, height);
  }
  for (const { index, side, price } of marks) {
    const candle = candles[index];
    if (candle === undefined) continue;
    drawMark(ctx, x(candle.time), y(price), side, 5 * ratio);
  }
  ctx.restore();
}

/** A triangle that points at the price: from below for what was bought, from above for what was sold. */
function drawMark(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  side: 'buy' | 'sell',
  size: number,
): void {
  const down = side === 'buy' ? 1 : -1;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x - size, y + down * 1.8 * size);
  ctx.lineTo(x + size, y + down * 1.8 * size);
  ctx.closePath();
  ctx.fillStyle = styleOf(side === 'buy' ? '--bought' : '--sold');
  ctx.strokeStyle = styleOf('--surface');
  ctx.lineWidth = size / 4;
  ctx.fill();
  ctx.stroke();
}
