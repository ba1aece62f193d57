import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { EventOf, Happening } from './board.js';
import { Badge, type BadgeTone, Said, Section, Table } from './parts.js';
import { happeningText } from './standing.js';
import { fills, happenings, logs, refusals } from './store.js';
import { clockText, decimalText, plain } from './text.js';

const SHOWN = 100;
const keyOf = (row: { readonly time: number }, index: number) => `${row.time} ${index}`;

export function Activity() {
  return (
    <Section id="activity" title="Activity">
      <div class="columns">
        <Part title="Changes of state">
          <Happenings />
        </Part>
        <Part title="Own fills">
          <Fills />
        </Part>
        <Part title="Refusals">
          <Refusals />
        </Part>
        <Part title="Log">
          <Log />
        </Part>
      </div>
    </Section>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="part">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

const newestFirst = <Row,>(rows: readonly Row[]): readonly Row[] => rows.slice(-SHOWN).toReversed();

function Happenings() {
  return (
    <Table
      label="Changes of state, newest first"
      rows={newestFirst(happenings.value)}
      keyOf={keyOf}
      empty="None yet."
      columns={[
        { name: 'Time', cell: ({ time }: Happening) => clockText(time), isHead: true },
        { name: 'What', cell: (event: Happening) => <Said text={happeningText(event)} />, isText: true },
      ]}
    />
  );
}

function Fills() {
  return (
    <Table
      label="Own fills, newest first"
      rows={newestFirst(fills.value)}
      keyOf={keyOf}
      empty="No fills yet."
      columns={[
        { name: 'Time', cell: ({ time }: EventOf<'fill'>) => clockText(time), isHead: true },
        { name: 'Pair', cell: ({ pair }) => <Said text={pair} most={24} /> },
        {
          name: 'Side',
          cell: ({ side }) => (
            <span class={side === 'buy' ? 'bought' : 'sold'}>{side === 'buy' ? '▲ buy' : '▼ sell'}</span>
          ),
        },
        { name: 'Quantity', cell: ({ quantity }) => decimalText(quantity), isNumber: true },
        { name: 'Price', cell: ({ price }) => decimalText(price), isNumber: true },
        { name: 'Fee', cell: ({ fee }) => decimalText(fee, 4), isNumber: true },
      ]}
    />
  );
}

function Refusals() {
  return (
    <Table
      label="Orders that the own limits refused, newest first"
      rows={newestFirst(refusals.value)}
      keyOf={keyOf}
      empty="None yet."
      columns={[
        { name: 'Time', cell: ({ time }: EventOf<'refusal'>) => clockText(time), isHead: true },
        { name: 'Pair', cell: ({ pair }) => <Said text={pair} most={24} /> },
        { name: 'Rule', cell: ({ rule }) => <Said text={rule} most={40} /> },
        { name: 'Reason', cell: ({ reason }) => <Said text={reason} />, isText: true },
      ]}
    />
  );
}

const LEVELS: Readonly<Record<EventOf<'log'>['level'], BadgeTone>> = {
  debug: 'neutral',
  info: 'neutral',
  warn: 'warning',
  error: 'bad',
};

function Log() {
  const isLoud = useSignal(false);
  const rows = logs.value.filter(({ level }) => !isLoud.value || level === 'warn' || level === 'error');
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={isLoud.value}
          onChange={({ currentTarget }) => {
            isLoud.value = currentTarget.checked;
          }}
        />
        Warnings and errors only
      </label>
      <Table
        label="The daemon’s log, newest first"
        rows={newestFirst(rows)}
        keyOf={keyOf}
        empty="Nothing was logged."
        columns={[
          { name: 'Time', cell: ({ time }: EventOf<'log'>) => clockText(time), isHead: true },
          {
            name: 'Level',
            cell: ({ level }) => <Badge tone={LEVELS[level] ?? 'neutral'}>{plain(level, 8)}</Badge>,
          },
          { name: 'Text', cell: ({ text }) => <Said text={text} />, isText: true },
        ]}
      />
    </>
  );
}
