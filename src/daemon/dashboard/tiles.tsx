import { useEffect } from 'preact/hooks';
import type { DaemonStatus } from '../daemon-api.js';
import { mark } from './browser.js';
import { Fact, Section } from './parts.js';
import { ageNow } from './standing.js';
import { standing, status } from './store.js';
import { ageText, bytesText, ceilingText, decimalText, plain, signedText, toneOf } from './text.js';

const MOST_ASSETS = 6;

export function Overview() {
  const now = status.value;
  const isKnown = now !== undefined;
  useEffect(() => {
    if (isKnown) mark('tickwright-facts');
  }, [isKnown]);
  if (now === undefined) return null;
  return (
    <Section id="overview" title="Overview">
      <dl class="tiles">
        <Money now={now} />
        <Fact name="Feed age" tone={feedTone(now)} hint="the oldest of all pairs">
          {feedAge(now)}
        </Fact>
        <Fact name="Requests" hint="allowed now">
          {now.budget.perSecond.toFixed(1)} / s
        </Fact>
        <Fact
          name="Venue’s clock"
          hint={now.clock === undefined ? undefined : `± ${now.clock.uncertaintyMs} ms`}
        >
          {now.clock === undefined
            ? 'not known yet'
            : `${now.clock.offsetMs >= 0 ? '+' : '−'}${Math.abs(now.clock.offsetMs)} ms`}
        </Fact>
        <Fact name="In doubt" tone={doubts(now) > 0 ? 'bad' : undefined} hint="orders nobody knows of yet">
          {doubts(now)}
        </Fact>
        <Fact name="Up" hint={`version ${plain(now.version, 16)}, process ${now.pid}`}>
          {ageText(now.uptimeMs + (standing.value.ageMs ?? 0))}
        </Fact>
        <Fact name="Loop lag" hint={`at most ${now.loopLag.maxMs} ms`}>
          {now.loopLag.p99Ms} ms
        </Fact>
        <Fact name="Memory" hint={ceilingText(now.memory.ceilingBytes)}>
          {bytesText(now.memory.rssBytes)}
        </Fact>
        {now.suspense.slice(0, MOST_ASSETS).map(({ asset, amount }) => (
          <Fact
            key={asset}
            name={`Unexplained, ${plain(asset, 12)}`}
            tone="bad"
            hint="money that nothing explains"
          >
            {decimalText(amount)}
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function Money({ now }: { readonly now: DaemonStatus }) {
  const assets = Object.entries(now.pnl).slice(0, MOST_ASSETS);
  return (
    <>
      {assets.map(([asset, { today, session }]) => [
        <Fact
          key={`${asset} today`}
          name={`P&L today, ${plain(asset, 12)}`}
          tone={toneOf(today)}
          hint="since 00:00 UTC"
        >
          {signedText(today)}
        </Fact>,
        <Fact
          key={`${asset} start`}
          name={`P&L since start, ${plain(asset, 12)}`}
          tone={toneOf(session)}
          hint="net of fees and funding"
        >
          {signedText(session)}
        </Fact>,
      ])}
    </>
  );
}

function oldest({ pairs }: DaemonStatus): number | undefined {
  const ages = pairs.map(({ pollAgeMs }) => pollAgeMs ?? Number.POSITIVE_INFINITY);
  const most = Math.max(...ages);
  return Number.isFinite(most) ? most : undefined;
}

function feedAge(now: DaemonStatus): string {
  return ageNow(oldest(now), standing.value);
}

function feedTone(now: DaemonStatus): 'bad' | 'warning' | undefined {
  const known = oldest(now);
  if (known === undefined) return 'warning';
  const age = known + (standing.value.ageMs ?? 0);
  if (age > 30_000) return 'bad';
  return age > 10_000 ? 'warning' : undefined;
}

function doubts({ pairs }: DaemonStatus): number {
  return pairs.reduce((sum, { doubt = 0 }) => sum + doubt, 0);
}
