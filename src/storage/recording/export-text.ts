import { Decimal } from '../../model/decimal.js';
import type { BarColumns } from '../rows/bar-columns.js';
import type { RecordedRows } from './recording.js';
import type { TradeColumns } from '../rows/trade-columns.js';

export type TextFormat = 'csv' | 'ndjson';

const TRADE_HEADER = 'id,pair,is_buyer_maker,qty,price,time';
const BAR_HEADER = 'open_time,close_time,open,high,low,close,base_volume';

/** A recording as text with the field names of the API, some tens of thousands of rows at a time. */
export async function* exportText(
  recording: RecordedRows,
  format: TextFormat,
): AsyncGenerator<string, void, undefined> {
  const { pair } = recording;
  if (recording.kind === 'bars') {
    if (format === 'csv') yield `${BAR_HEADER}\n`;
    for await (const bars of recording.bars()) yield barLines(bars, format);
    return;
  }
  if (format === 'csv') yield `${TRADE_HEADER}\n`;
  for await (const chunk of recording.chunks()) yield tradeLines(chunk, pair, format);
}

function tradeLines(chunk: TradeColumns, pair: string, format: TextFormat): string {
  const lines: string[] = [];
  for (let row = 0; row < chunk.count; row++) {
    const { id, time, price, quantity, isBuyerMaker } = chunk.trade(row);
    lines.push(
      format === 'csv'
        ? `${cell(id)},${pair},${isBuyerMaker},${plain(quantity)},${plain(price)},${time}\n`
        : `{"id":${JSON.stringify(id)},"pair":"${pair}","is_buyer_maker":${isBuyerMaker},"qty":${plain(quantity)},"price":${plain(price)},"time":${time}}\n`,
    );
  }
  return lines.join('');
}

function barLines(bars: BarColumns, format: TextFormat): string {
  const lines: string[] = [];
  for (let row = 0; row < bars.count; row++) {
    const [open, high, low, close, volume] = [bars.open, bars.high, bars.low, bars.close, bars.volume].map(
      (column) => plain(column[row] as number),
    );
    const start = bars.time[row] as number;
    const end = bars.end[row] as number;
    lines.push(
      format === 'csv'
        ? `${start},${end},${open},${high},${low},${close},${volume}\n`
        : `{"open_time":${start},"close_time":${end},"open":${open},"high":${high},"low":${low},"close":${close},"base_volume":${volume}}\n`,
    );
  }
  return lines.join('');
}

/** The shortest digits that parse to the same number, without an exponent, which many readers do not accept. */
function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Decimal(value).toFixed() : text;
}

function cell(id: string): string {
  return /[",\r\n]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id;
}
