import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { onWidth, styleOf } from './browser.js';
import { theme } from './store.js';
import { clockText, dayText } from './text.js';

export interface PlotProps {
  readonly data: uPlot.AlignedData;
  /** All options but the size; called again when the colours change. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>;
  readonly height: number;
  /** Describes the chart in words. */
  readonly label: string;
  /** A new value creates a new chart. */
  readonly identity: string;
}

/** A chart on a canvas, as wide as its container. Screen readers get its label and the table beside it. */
export function Plot({ data, options, height, label, identity }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const colours = theme.value;
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const made = new uPlot(
      { ...options(), width: Math.max(120, element.clientWidth), height },
      data,
      element,
    );
    chart.current = made;
    const release = onWidth(element, (width) => {
      if (width > 0 && width !== made.width) made.setSize({ width, height });
    });
    return () => {
      release();
      made.destroy();
      chart.current = undefined;
    };
  }, [identity, colours, height]);
  useEffect(() => chart.current?.setData(data), [data]);
  return <div ref={place} class="plot" role="img" aria-label={label} />;
}

/** Steps of the axis of time, seconds. */
const STEPS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400];

/** `least`: seconds between two marks on the axis of time. */
export function axes(least: number): uPlot.Axis[] {
  const look = {
    stroke: styleOf('--muted'),
    grid: { stroke: styleOf('--grid'), width: 1 },
    ticks: { stroke: styleOf('--grid'), width: 1, size: 4 },
    font: '12px system-ui, sans-serif',
  };
  const incrs = STEPS.filter((step) => step >= least);
  return [
    { ...look, incrs, values: (_, splits) => timeLabels(splits), space: 64 },
    { ...look, size: 64, values: (_, splits) => splits.map((value) => shortNumber(value)) },
  ];
}

function timeLabels(splits: readonly number[]): string[] {
  const hasSeconds = splits.some((seconds) => seconds % 60 !== 0);
  return splits.map((seconds) => {
    const time = seconds * 1_000;
    const clock = clockText(time);
    if (clock === '00:00:00') return dayText(time).slice(5);
    return hasSeconds ? clock : clock.slice(0, 5);
  });
}

function shortNumber(value: number): string {
  const text = String(Math.round(value * 1e6) / 1e6);
  return text.replace('-', '−').replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, '\u202f');
}
